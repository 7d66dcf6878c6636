/** Keeps what the engine host tells of running pipelines, until it is stopped. */
import { metricsStore, type Store } from '@millrace/store';
import type { Logger } from 'pino';
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';
import { type MetricsRecorder, metricsRecorder } from './metrics-recorder.ts';

const FLUSH_MS = 5_000;

export interface KeptMetrics extends Pick<MetricsRecorder, 'recent'> {
  readonly stop: () => Promise<void>;
}

export function recordMetrics({ database }: Store, host: EngineHost, log: Logger): KeptMetrics {
  const recorder = metricsRecorder(metricsStore(database), Date.now);
  const stopHearing = host.listen({ progress: recorder.take });
  const flush = (everything = false) =>
    recorder.flush(everything).catch((error: unknown) => log.warn({ err: error }, 'numbers were not stored'));
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return {
    recent: recorder.recent,
    stop: () => {
      clearInterval(timer);
      stopHearing();
      return flush(true);
    },
  };
}
