/** The line a dead letter came from, and whether the code that is shown is the code it came from. */
import type { PipelineDocument } from '@millrace/document';
import type { CodePlace } from '../code/open-code.ts';

export interface FoundPlace {
  /** The node or shared file. */
  readonly id: string;
  readonly at: CodePlace;
}

/** `nodes/parse.ts:4:11`; undefined where the shown pipeline has no such code. */
export function findPlace(place: string | null, document: PipelineDocument): FoundPlace | undefined {
  const [, path, line, column] = /^(.+):(\d+):(\d+)$/.exec(place ?? '') ?? [];
  if (path === undefined) return undefined;
  const { pipeline, files } = document.read();
  const found =
    [...pipeline.nodes.values()].find(({ code }) => code === path) ??
    [...files.values()].find((file) => file.path === path);
  return found && { id: found.id, at: { line: Number(line), column: Number(column) } };
}
