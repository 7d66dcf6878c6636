/**
 * Reads a pipeline folder. Total: any map of any texts gives a pipeline and the list of all that is wrong.
 * Meaning (types, wires, cycles) is judged by `validateFolder`.
 */
import { fileRole, MAX_FOLDER_CHARACTERS, PIPELINE_FILE, type PipelineFiles } from '../folder/files.ts';
import type { Issue } from '../issue.ts';
import { parseJson } from '../json/parse-json.ts';
import { type JsonPositions, jsonPositions, lineIndex } from '../json/positions.ts';
import type { Pipeline } from '../pipeline.ts';
import { EMPTY_PIPELINE, readPipeline } from './read-pipeline.ts';
import { reportInto } from './report.ts';

export interface PipelineFolder {
  readonly pipeline: Pipeline;
  /** The files that belong to a pipeline, LF only. */
  readonly files: PipelineFiles;
  /** Places in pipeline.json. */
  readonly positions: JsonPositions;
  /** False where `pipeline` is empty because pipeline.json is missing, broken or of another format. */
  readonly readable: boolean;
  /** What is wrong with the form; the rest is in `validateFolder`. */
  readonly issues: readonly Issue[];
}

export function readFolder(given: PipelineFiles): PipelineFolder {
  const files = new Map<string, string>();
  const issues: Issue[] = [];
  let left = MAX_FOLDER_CHARACTERS;
  for (const [path, text] of given) {
    if (fileRole(path) === undefined) continue;
    left -= text.length;
    if (left >= 0) files.set(path, text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
    else
      issues.push(
        fileIssue(
          'too-large',
          path,
          `${path} takes the pipeline over 16 MB of text; move data out of the folder's code`,
        ),
      );
  }
  checkJsonFiles(files, issues);
  const text = files.get(PIPELINE_FILE);
  if (text === undefined) {
    const message = `there is no ${PIPELINE_FILE} in this folder; is it the right folder?`;
    issues.push(fileIssue('no-pipeline', PIPELINE_FILE, message));
    return {
      pipeline: EMPTY_PIPELINE,
      files,
      positions: jsonPositions('', undefined),
      readable: false,
      issues,
    };
  }
  const { root } = parseJson(text);
  const positions = jsonPositions(text, root);
  const pipeline = root === undefined ? EMPTY_PIPELINE : readPipeline(root, reportInto(issues, positions));
  return { pipeline, files, positions, readable: pipeline !== EMPTY_PIPELINE, issues };
}

function checkJsonFiles(files: PipelineFiles, issues: Issue[]): void {
  for (const [path, text] of files) {
    const role = fileRole(path);
    if (role === 'node' || role === 'lib') continue;
    const at = lineIndex(text);
    for (const { code, message, offset } of parseJson(text).problems) {
      // Recorded cases carry integers beyond 2^53 on purpose; their reader keeps the digits.
      if (code === 'json-number' && role === 'test') continue;
      issues.push({ ...fileIssue(code, path, `${path} is not proper JSON: ${message}`), ...at(offset) });
    }
  }
}

function fileIssue(code: string, file: string, message: string): Issue {
  return { code, severity: 'error', message, file, line: 1, column: 1 };
}
