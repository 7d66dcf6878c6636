/** Records of some streams while somebody looks, drawn a few times a second at most. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type TapBatch, watchTap } from '../../sockets/watch-tap.ts';
import { NO_RECORDS, type RecordLog, type Share, shareOf, takeBatch } from './record-log.ts';

export type TapState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'ended'; readonly why: string };

export interface Tap {
  readonly state: TapState;
  readonly log: RecordLog;
  readonly share: Share;
  readonly filtered: number;
  readonly dropped: number;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
  readonly clear: () => void;
  readonly openAgain: () => void;
}

export interface TapOptions {
  readonly pipeline: string;
  readonly streams: readonly string[];
  readonly filter: string | undefined;
}

const DRAWN_EVERY_MS = 150;

export function useTap({ pipeline, streams, filter }: TapOptions): Tap {
  const [state, setState] = useState<TapState>({ kind: 'opening' });
  const [isPaused, setPaused] = useState(false);
  const [round, setRound] = useState(0);
  const [drawn, setDrawn] = useState({ log: NO_RECORDS, share: shareOf(NO_RECORDS, 0) });
  const kept = useRef({ log: NO_RECORDS, filtered: 0, dropped: 0, isPaused: false });
  kept.current.isPaused = isPaused;
  const draw = useCallback(() => {
    const { log } = kept.current;
    setDrawn({ log, share: shareOf(log, performance.now()) });
  }, []);
  const clear = useCallback(() => {
    // Numbers go on: one that was chosen before is not another record now.
    const log = { ...NO_RECORDS, last: kept.current.log.last };
    kept.current = { ...kept.current, log, filtered: 0, dropped: 0 };
    draw();
  }, [draw]);
  const asked = streams.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round opens it again
  useEffect(() => {
    setState({ kind: 'opening' });
    // Whoever asks for something else wants to see it.
    setPaused(false);
    clear();
    if (asked === '') return;
    const take = (batch: TapBatch): void => {
      const { log, filtered, dropped, isPaused: paused } = kept.current;
      kept.current = {
        isPaused: paused,
        log: takeBatch(log, batch, { now: performance.now(), isPaused: paused }),
        filtered: filtered + batch.filtered,
        dropped: dropped + batch.dropped,
      };
    };
    const stop = watchTap(
      { pipeline, streams: asked.split(' '), filter },
      {
        opened: () => setState({ kind: 'open' }),
        records: take,
        ended: (why) => setState({ kind: 'ended', why }),
      },
    );
    const timer = setInterval(draw, DRAWN_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [pipeline, asked, filter, round, clear, draw]);
  const { filtered, dropped } = kept.current;
  return {
    state,
    ...drawn,
    filtered,
    dropped,
    isPaused,
    setPaused,
    clear,
    openAgain: () => setRound((count) => count + 1),
  };
}
