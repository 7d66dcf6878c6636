/**
 * Where a filter of records belongs: a module of its own beside the pipeline's, which no check of the pipeline sees.
 * It is checked alone, a moment after it was typed.
 */

import { type FilterModule, filterModule } from '@millrace/compiler/layout';
import type { CodeProject } from '../code-project.ts';
import type { TypeScriptDiagnostic } from '../monaco.ts';
import type { ExpressionFault } from './expression-place.ts';
import type { ExpressionHome } from './setting-home.ts';

type Monaco = typeof import('../monaco.ts');

export interface FilterHome extends ExpressionHome {
  /** What is typed now. */
  readonly take: (expression: string) => void;
  readonly close: () => void;
}

export interface FilterHomeOptions {
  readonly loaded: Monaco;
  readonly project: CodeProject;
  readonly streams: readonly string[];
}

const FILE = '/records/filter.ts';
const QUIET_MS = 150;
/** Of a name or field that is nowhere: true also where values of several types are taken for one of all their fields. */
const UNKNOWN_NAMES: ReadonlySet<number> = new Set([2304, 2339, 2551, 2552]);

export function filterHome({ loaded, project, streams }: FilterHomeOptions): FilterHome {
  const { monaco, typeScript } = loaded;
  const uri = monaco.Uri.parse(`file://${FILE}`);
  let expression = '';
  let module = filterModule(project.typesOf(streams), expression);
  const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel(module.text, 'typescript', uri);
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  const listeners = new Set<() => void>();
  let faults: readonly ExpressionFault[] = [];
  let round = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = async (): Promise<void> => {
    const mine = ++round;
    const checked = module;
    const found = expression.trim() === '' ? [] : await diagnosticsOf();
    if (mine !== round || model.isDisposed()) return;
    faults = found.flatMap((each) => faultOf(each, checked, expression.length));
    for (const listener of [...listeners]) listener();
  };
  const diagnosticsOf = async (): Promise<readonly TypeScriptDiagnostic[]> => {
    const worker = await typeScript(uri);
    const file = uri.toString();
    const syntax = await worker.getSyntacticDiagnostics(file);
    if (syntax.length > 0) return syntax;
    const found = await worker.getSemanticDiagnostics(file);
    return module.isMixed ? found.filter(({ code }) => UNKNOWN_NAMES.has(code)) : found;
  };
  const renew = (): void => {
    const next = filterModule(project.typesOf(streams), expression);
    if (next.text === module.text || model.isDisposed()) return;
    module = next;
    model.setValue(next.text);
    clearTimeout(timer);
    // A worker that was started again is asked with the next letter.
    timer = setTimeout(() => void check().catch(() => undefined), QUIET_MS);
  };
  if (model.getValue() !== module.text) model.setValue(module.text);
  const stop = project.subscribe(renew);
  return {
    place: () => ({ file: FILE, start: module.start, text: expression }),
    faults: () => faults,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    take: (text) => {
      expression = text;
      renew();
    },
    close: () => {
      round++;
      stop();
      clearTimeout(timer);
      model.dispose();
    },
  };
}

function faultOf(
  { start = 0, length = 1, messageText }: TypeScriptDiagnostic,
  { start: from }: FilterModule,
  size: number,
): readonly ExpressionFault[] {
  const [first, last] = [Math.max(0, start - from), Math.min(size, start - from + length)];
  // TypeScript may mean what is around it: then all of it is marked.
  const within = last > first ? { start: first, end: last } : { start: 0, end: size };
  const message = typeof messageText === 'string' ? messageText : messageText.messageText;
  return [{ ...within, severity: 'error', message }];
}
