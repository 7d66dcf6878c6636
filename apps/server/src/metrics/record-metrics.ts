/** Keeps what the engine host tells of running pipelines, until the returned function is called. */
import { metricsStore, type Store } from '@millrace/store';
import type { Logger } from 'pino';
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';
import { metricsRecorder } from './metrics-recorder.ts';

const FLUSH_MS = 5_000;

export function recordMetrics({ database }: Store, host: EngineHost, log: Logger): () => Promise<void> {
  const recorder = metricsRecorder(metricsStore(database), Date.now);
  const stopHearing = host.listen({ progress: recorder.take });
  const flush = (everything = false) =>
    recorder.flush(everything).catch((error: unknown) => log.warn({ err: error }, 'numbers were not stored'));
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopHearing();
    return flush(true);
  };
}
