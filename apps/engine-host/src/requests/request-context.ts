import type { LogBook } from '../logs/log-book.ts';
import type { PipelineRunner } from '../pipelines/pipeline-runner.ts';
import type { Surroundings } from '../pipelines/version-run.ts';
import type { HostTaps } from '../taps/host-taps.ts';

/** What an answer may be made from. */
export interface RequestContext extends Surroundings {
  /** Undefined: this host has no such deployment. */
  runner(pipeline: string): PipelineRunner | undefined;
  readonly taps: HostTaps;
  /** Empty where nothing was logged since this host began. */
  logs(pipeline: string): LogBook;
}

/** An answer a program can act on, as opposed to a bug. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
