/** Collects the issues of pipeline.json and knows where each path stands. */
import { PIPELINE_FILE } from '../folder/files.ts';
import type { Issue } from '../issue.ts';
import type { JsonPath, JsonPositions, Position } from '../json/positions.ts';

export interface Where {
  readonly path: JsonPath;
  /** Point at the key instead of the value. */
  readonly key?: boolean;
  readonly node?: string;
  readonly stream?: string;
  readonly severity?: Issue['severity'];
}

export type Report = (code: string, where: Where, message: string) => void;

export function reportInto(issues: Issue[], positions: JsonPositions): Report {
  return (code, where, message) => {
    const position = where.key === true ? positions.key(where.path) : positions.value(where.path);
    issues.push(pipelineIssue(code, where, message, position));
  };
}

export function pipelineIssue(code: string, where: Where, message: string, position: Position): Issue {
  return {
    code,
    severity: where.severity ?? 'error',
    message,
    ...(where.node === undefined ? {} : { node: where.node }),
    ...(where.stream === undefined ? {} : { stream: where.stream }),
    path: where.path.join('.'),
    file: PIPELINE_FILE,
    line: position.line,
    column: position.column,
  };
}
