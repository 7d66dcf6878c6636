/** The work a child process does; plain data in and out, so that it can also run in this process (tests). */
import type { BundleRequest, BundleResult } from '../bundle/bundle-request.ts';
import { readInstalled } from '../installed.ts';
import type { CheckRequest, CheckResult } from '../typescript/check-request.ts';
import type { ExpressionResult } from '../typescript/expression-module.ts';

export type Job =
  | { readonly kind: 'check'; readonly request: CheckRequest }
  | { readonly kind: 'bundle'; readonly request: BundleRequest }
  | { readonly kind: 'expression'; readonly text: string };

export type JobResult =
  | { readonly kind: 'check'; readonly result: CheckResult }
  | { readonly kind: 'bundle'; readonly result: BundleResult }
  | { readonly kind: 'expression'; readonly result: ExpressionResult };

type Run = (progress: (path: string) => void) => Promise<JobResult>;

/** Loads what the job needs of TypeScript and esbuild: TypeScript alone takes longer than a bundle does. */
export async function loadFor(job: Job): Promise<Run> {
  if (job.kind === 'expression') {
    const { expressionModule } = await import('../typescript/expression-module.ts');
    return async () => ({ kind: 'expression', result: expressionModule(job.text) });
  }
  if (job.kind === 'check') {
    const { typeCheck } = await import('../typescript/type-check.ts');
    return async (progress) => ({
      kind: 'check',
      result: typeCheck(job.request, readInstalled(), progress),
    });
  }
  const { bundle } = await import('../bundle/bundle.ts');
  return async () => ({ kind: 'bundle', result: await bundle(job.request, readInstalled()) });
}

export type ChildMessage =
  /** What the job needs is loaded: from here on its clock runs. */
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly path: string }
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly message: string };
