/** From a place in the virtual project back to the file, line and column a person can open. */
import { type Issue, lineIndex, PIPELINE_FILE, type PipelineFolder } from '@millrace/graph';
import type { ProjectFile, Span } from './layout/project.ts';

export type Place = Pick<Issue, 'file' | 'line' | 'column' | 'node' | 'stream' | 'path'>;

export function locate(folder: PipelineFolder, file: ProjectFile | undefined, start: number): Place {
  if (file === undefined) return { file: PIPELINE_FILE, line: 1, column: 1 };
  const { origin } = file;
  if (origin.kind === 'file') {
    const about = origin.node === undefined ? {} : { node: origin.node };
    return { file: origin.file, ...lineIndex(file.text)(start), ...about };
  }
  const span = spanAt(origin.spans, start);
  const path = span?.path ?? origin.path;
  const position =
    span === undefined
      ? folder.positions.value(path)
      : folder.positions.inText(path, Math.max(start - span.start, 0));
  return {
    file: PIPELINE_FILE,
    ...position,
    path: path.join('.'),
    ...(origin.node === undefined ? {} : { node: origin.node }),
    ...(origin.stream === undefined ? {} : { stream: origin.stream }),
  };
}

/** TypeScript may point at the generated parenthesis or call around a text; both stand closely before it. */
const LEAD = 40;

/** The text of pipeline.json that a place in a generated file is about. */
export function spanAt(spans: readonly Span[], start: number): Span | undefined {
  return (
    spans.find((span) => start >= span.start && start <= span.end) ??
    spans.find((span) => start < span.start && span.start - start <= LEAD)
  );
}
