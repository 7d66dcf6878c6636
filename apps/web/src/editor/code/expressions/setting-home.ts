/** Where an expression belongs: what TypeScript is asked about, and what was said of it. */
import type { JsonPath } from '@millrace/graph';
import type { SharedDraft } from '../../../document/shared-draft.ts';
import type { CodeProject } from '../code-project.ts';
import type { ExpressionSource } from './expression-language.ts';
import type { ExpressionFault } from './expression-place.ts';

export interface ExpressionHome extends ExpressionSource {
  /** What the last check said of it. */
  readonly faults: () => readonly ExpressionFault[];
  /** A check was done. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Undefined: the field's own. */
  readonly history?: Pick<SharedDraft, 'undo' | 'redo'>;
}

/** A setting of pipeline.json: the draft's, and its history as everywhere. */
export function settingHome(project: CodeProject, draft: SharedDraft, setting: JsonPath): ExpressionHome {
  return {
    place: () => {
      const found = project.expression(setting);
      return found && { file: found.path, start: found.start, text: found.text };
    },
    faults: () => project.faultsOf(setting),
    subscribe: project.subscribe,
    history: draft,
  };
}
