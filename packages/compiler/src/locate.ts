/** From a place in the virtual project back to the file, line and column a person can open. */
import { type Issue, lineIndex, PIPELINE_FILE, type PipelineFolder } from '@millrace/graph';
import type { ProjectFile } from './layout/project.ts';

export type Place = Pick<Issue, 'file' | 'line' | 'column' | 'node' | 'stream' | 'path'>;

export function locate(folder: PipelineFolder, file: ProjectFile | undefined, start: number): Place {
  if (file === undefined) return { file: PIPELINE_FILE, line: 1, column: 1 };
  const { origin } = file;
  if (origin.kind === 'file') {
    const about = origin.node === undefined ? {} : { node: origin.node };
    return { file: origin.file, ...lineIndex(file.text)(start), ...about };
  }
  const span = origin.spans.find((candidate) => start >= candidate.start && start <= candidate.end);
  const path = span?.path ?? origin.path;
  const position =
    span === undefined ? folder.positions.value(path) : folder.positions.inText(path, start - span.start);
  return {
    file: PIPELINE_FILE,
    ...position,
    path: path.join('.'),
    ...(origin.node === undefined ? {} : { node: origin.node }),
    ...(origin.stream === undefined ? {} : { stream: origin.stream }),
  };
}
