/** What the code logs while somebody looks, drawn a few times a second at most. */
import { useEffect, useRef, useState } from 'react';
import { watchLogs } from '../../sockets/watch-logs.ts';
import { type LogBook, NO_LINES, takeLines } from './log-book.ts';

export interface Logs {
  readonly book: LogBook;
  /** Why no more will come. */
  readonly ended: string | undefined;
  readonly clear: () => void;
}

const DRAWN_EVERY_MS = 150;

export function useLogs(pipeline: string): Logs {
  const [book, setBook] = useState(NO_LINES);
  const [ended, setEnded] = useState<string>();
  const kept = useRef(NO_LINES);
  useEffect(() => {
    kept.current = NO_LINES;
    const stop = watchLogs(pipeline, {
      opened: () => setEnded(undefined),
      lines: (batch) => {
        kept.current = takeLines(kept.current, batch);
      },
      ended: setEnded,
    });
    const timer = setInterval(() => setBook(kept.current), DRAWN_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [pipeline]);
  const clear = (): void => {
    const last = kept.current.lines.at(-1)?.number;
    // The last one stays in mind, so that what comes again is known.
    kept.current = { ...NO_LINES, lines: last === undefined ? [] : kept.current.lines.slice(-1) };
    setBook(kept.current);
  };
  return { book, ended, clear };
}
