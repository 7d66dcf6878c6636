/** The work a child process does; plain data in and out, so that it can also run in this process (tests). */
import { bundle } from '../bundle/bundle.ts';
import type { BundleRequest, BundleResult } from '../bundle/bundle-request.ts';
import { readInstalled } from '../installed.ts';
import type { CheckRequest, CheckResult } from '../typescript/check-request.ts';
import { type ExpressionResult, expressionModule } from '../typescript/expression-module.ts';
import { typeCheck } from '../typescript/type-check.ts';

export type Job =
  | { readonly kind: 'check'; readonly request: CheckRequest }
  | { readonly kind: 'bundle'; readonly request: BundleRequest }
  | { readonly kind: 'expression'; readonly text: string };

export type JobResult =
  | { readonly kind: 'check'; readonly result: CheckResult }
  | { readonly kind: 'bundle'; readonly result: BundleResult }
  | { readonly kind: 'expression'; readonly result: ExpressionResult };

export async function runJob(job: Job, progress: (path: string) => void): Promise<JobResult> {
  if (job.kind === 'expression') return { kind: 'expression', result: expressionModule(job.text) };
  const installed = readInstalled();
  if (job.kind === 'check') return { kind: 'check', result: typeCheck(job.request, installed, progress) };
  return { kind: 'bundle', result: await bundle(job.request, installed) };
}

export type ChildMessage =
  /** TypeScript and esbuild are loaded: from here on the clock of the job runs. */
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly path: string }
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly message: string };
