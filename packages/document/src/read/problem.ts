/** What reading a document finds wrong, in the one form of everything that is wrong with a pipeline (G3). */
import { type Issue, PIPELINE_FILE } from '@millrace/graph';

export interface About {
  readonly path: string;
  readonly node?: string;
  readonly stream?: string;
}

export function warning(code: string, about: About, message: string): Issue {
  return { code, severity: 'warning', message, ...about, file: PIPELINE_FILE, line: 1, column: 1 };
}

export function error(code: string, about: About, message: string): Issue {
  return { ...warning(code, about, message), severity: 'error' };
}

/** An id as it may stand in a message: it comes from people. */
export function shown(id: string): string {
  return `'${id.replace(/\p{Cc}/gu, '\ufffd').slice(0, 80)}'`;
}
