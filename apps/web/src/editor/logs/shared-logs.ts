/**
 * What each watched pipeline logs, kept once however many views show it: the list, the lines of code, the node.
 * Drawn a few times a second at most.
 */
import { watchLogs } from '../../sockets/watch-logs.ts';
import { type LogBook, NO_LINES, takeLines } from './log-book.ts';

export interface SharedLogs {
  readonly book: LogBook;
  /** Why no more will come. */
  readonly ended: string | undefined;
}

interface Kept {
  shown: SharedLogs;
  newest: LogBook;
  readonly listeners: Set<() => void>;
  readonly stop: () => void;
  closing: ReturnType<typeof setTimeout> | undefined;
}

const DRAWN_EVERY_MS = 150;
/** Another view that opens right after finds what this one had. */
const KEPT_MS = 2_000;
const NOTHING: SharedLogs = { book: NO_LINES, ended: undefined };
const kept = new Map<string, Kept>();

/** Gives the way to stop. */
export function subscribeLogs(pipeline: string, listener: () => void): () => void {
  const entry = kept.get(pipeline) ?? open(pipeline);
  clearTimeout(entry.closing);
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    entry.closing = setTimeout(() => {
      entry.stop();
      kept.delete(pipeline);
    }, KEPT_MS);
  };
}

export const sharedLogs = (pipeline: string): SharedLogs => kept.get(pipeline)?.shown ?? NOTHING;

export function clearLogs(pipeline: string): void {
  const entry = kept.get(pipeline);
  if (entry === undefined) return;
  entry.newest = { ...NO_LINES, through: entry.newest.through };
  show(entry);
}

function open(pipeline: string): Kept {
  const stopWatching = watchLogs(pipeline, {
    opened: () => set(entry, { ...entry.shown, ended: undefined }),
    lines: (batch) => {
      entry.newest = takeLines(entry.newest, batch);
    },
    ended: (ended) => set(entry, { ...entry.shown, ended }),
  });
  const timer = setInterval(() => entry.newest !== entry.shown.book && show(entry), DRAWN_EVERY_MS);
  const entry: Kept = {
    shown: NOTHING,
    newest: NO_LINES,
    listeners: new Set(),
    stop: () => {
      clearInterval(timer);
      stopWatching();
    },
    closing: undefined,
  };
  kept.set(pipeline, entry);
  return entry;
}

const show = (entry: Kept): void => set(entry, { ...entry.shown, book: entry.newest });

function set(entry: Kept, shown: SharedLogs): void {
  entry.shown = shown;
  for (const listener of entry.listeners) listener();
}
