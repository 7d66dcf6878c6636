/** What each user may take back in each draft. Kept apart from the document: undo is that user's alone. */
import { EMPTY_HISTORY, type History, type Recorded, readHistory, record } from '@millrace/document';
import { MAX_HISTORY } from '@millrace/protocol/api';
import type { DocumentStore, StoredHistory } from '@millrace/store';

export type HistorySaved =
  | { readonly kind: 'saved'; readonly history: StoredHistory }
  | { readonly kind: 'conflict'; readonly current: StoredHistory }
  | { readonly kind: 'malformed' };

export interface Histories {
  get(pipeline: string, account: string): Promise<StoredHistory>;
  /** Adds steps; the order is that of their coming. */
  add(pipeline: string, account: string, steps: string): Promise<HistorySaved>;
  /** Only what was made from the newest. */
  replace(pipeline: string, account: string, next: StoredHistory): Promise<HistorySaved>;
}

const NONE: StoredHistory = { revision: 0, history: JSON.stringify(EMPTY_HISTORY) };

/** Calls about one draft come one after the other. */
export function histories(documents: Pick<DocumentStore, 'history' | 'saveHistory'>): Histories {
  const get = async (pipeline: string, account: string): Promise<StoredHistory> =>
    (await documents.history(pipeline, account)) ?? NONE;
  const save = async (
    pipeline: string,
    account: string,
    history: History,
    revision: number,
  ): Promise<HistorySaved> => {
    const stored = { revision, history: textOf(history) };
    await documents.saveHistory(pipeline, account, stored);
    return { kind: 'saved', history: stored };
  };
  return {
    get,
    async add(pipeline, account, steps) {
      const read = readSteps(steps);
      if (read === undefined) return { kind: 'malformed' };
      const current = await get(pipeline, account);
      let history = readHistory(parse(current.history));
      for (const step of read) history = record(history, step);
      return save(pipeline, account, history, current.revision + 1);
    },
    async replace(pipeline, account, { revision, history }) {
      const current = await get(pipeline, account);
      if (current.revision !== revision) return { kind: 'conflict', current };
      return save(pipeline, account, readHistory(parse(history)), revision + 1);
    },
  };
}

/** Without the oldest steps where it would be too long to send. */
function textOf({ version, undo, redo }: History): string {
  for (let kept = { undo, redo }; ; ) {
    const text = JSON.stringify({ version, ...kept });
    if (text.length <= MAX_HISTORY) return text;
    if (kept.undo.length + kept.redo.length === 0) return text;
    kept = { undo: half(kept.undo), redo: half(kept.redo) };
  }
}

const half = <T>(entries: readonly T[]): readonly T[] => entries.slice(Math.ceil(entries.length / 2));

/** Read as the entries of a history are. */
function readSteps(text: string): readonly Recorded[] | undefined {
  const steps = parse(text);
  if (!Array.isArray(steps) || steps.length > 100) return undefined;
  const { undo } = readHistory({ version: 1, undo: steps, redo: [] });
  return undo.length === steps.length ? undo : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
