/**
 * injector/host-metrics: one JSON line per sample. Offsets run on from where the last run was committed; lines
 * that were never committed are gone, as they would be with any instrument that was off.
 */
import type { InjectorConnector, OpenInjector, SourceChunk } from '@millrace/engine';
import { durationMs, readSettings } from '../shared/settings.ts';
import { wait } from '../shared/wait.ts';
import { describeHost, readCounters } from './sample.ts';
import { hostMetricsConfig } from './spec.ts';

const DEFAULT_EVERY = '1s';

export const hostMetricsInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const { every = DEFAULT_EVERY } = readSettings(hostMetricsConfig, config, context);
    const everyMs = durationMs(every);
    return {
      partitions: [
        { name: 'host', read: (offset, signal) => lines(everyMs, () => context.now(), offset, signal) },
      ],
      close: async () => {},
    };
  },
};

async function* lines(
  everyMs: number,
  now: () => number,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  let position = offset;
  let before = await readCounters(now());
  for (;;) {
    yield { kind: 'idle' };
    if (!(await wait(everyMs, signal))) return;
    const after = await readCounters(now());
    const bytes = new TextEncoder().encode(`${JSON.stringify(await describeHost(before, after))}\n`);
    yield { kind: 'bytes', offset: position, bytes };
    position += bytes.length;
    before = after;
  }
}
