/**
 * Samples as the build leaves them: checked, bundled, ready to be stored. Nobody waits for a type check when the
 * product starts.
 */
import type { StoredVersion } from '@millrace/engine';

export interface Sample {
  /** Its folder's name. */
  readonly name: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly tags: readonly string[];
  /** Runs from the first second. */
  readonly runs: boolean;
  /** The id in its pipeline.json. */
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
  readonly version: Omit<StoredVersion, 'number'>;
  readonly compilerVersion: string;
  /** Data it reads, by path inside the sample's folder. */
  readonly data: readonly SampleData[];
  /** Of everything above. */
  readonly contentHash: string;
}

export interface SampleData {
  readonly path: string;
  /** Where it lies, on this machine. */
  readonly file: string;
}
