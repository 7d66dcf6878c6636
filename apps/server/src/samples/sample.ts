/**
 * Samples as the build leaves them: checked, bundled, ready to be stored. Nobody waits for a type check when the
 * product starts. Templates are only begun with: a workspace has none of them until somebody takes one.
 */
import type { StoredVersion } from '@millrace/engine';

/** What a pipeline can begin as. */
export interface Beginning {
  readonly name: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** Data it reads, by path inside its folder. */
  readonly data: readonly SampleData[];
}

/** Named like its folder. */
export interface Sample extends Beginning {
  /** Runs from the first second. */
  readonly runs: boolean;
  /** The id in its pipeline.json. */
  readonly id: string;
  readonly version: Omit<StoredVersion, 'number'>;
  readonly compilerVersion: string;
  /** Of everything above. */
  readonly contentHash: string;
}

export interface Template extends Beginning {
  /** What it is shown under, with others. */
  readonly group: string;
  /** Of the group, Markdown. */
  readonly about: string;
}

export interface SampleData {
  readonly path: string;
  /** Where it lies, on this machine. */
  readonly file: string;
}
