/** A folder taken apart the way a draft holds it: whose text each file is, and the layout. */
import { LAYOUT_FILE, type Pipeline, type PipelineFolder } from '@millrace/graph';
import type { Layout } from '../read/reading.ts';
import { isFileOfPipeline } from './file-paths.ts';
import { readLayout } from './layout-json.ts';

export interface FolderContents {
  readonly pipeline: Pipeline;
  readonly layout: Layout;
  /** Node id to its code. Two nodes of one file get a copy each. */
  readonly codes: ReadonlyMap<string, string>;
  /** Path to text, of files no node owns. */
  readonly files: ReadonlyMap<string, string>;
}

export function folderContents({ pipeline, files }: PipelineFolder): FolderContents {
  const codes = new Map<string, string>();
  const spare = new Map([...files].filter(([path]) => isFileOfPipeline(path)));
  for (const { id, code } of pipeline.nodes.values()) {
    const text = code === undefined ? undefined : files.get(code);
    if (code === undefined || text === undefined || !code.startsWith('nodes/')) continue;
    codes.set(id, text);
    spare.delete(code);
  }
  return { pipeline, layout: readLayout(files.get(LAYOUT_FILE)), codes, files: spare };
}
