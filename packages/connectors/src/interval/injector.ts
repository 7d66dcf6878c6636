/** injector/interval: hands over ordinals at wall times; the worker makes `{ n, time }` of them. */
import type { ConnectorContext, InjectorConnector, OpenInjector, SourcePartition } from '@millrace/engine';
import { dueOrdinals } from '../shared/ordinal-schedule.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import { parseCron } from './cron.ts';
import { dueTimes } from './due-times.ts';
import { intervalConfig } from './spec.ts';

export const intervalInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    return { partitions: [partitionOf(config, context)], close: async () => {} };
  },
};

function partitionOf(config: Readonly<Record<string, unknown>>, context: ConnectorContext): SourcePartition {
  const { every, at, count, zone } = readSettings(intervalConfig, config, context);
  const now = (): number => context.now();
  const parsed = at === undefined ? undefined : parseCron(at);
  if (parsed?.kind === 'cron') {
    const cron = parsed.cron(zone ?? 'UTC');
    return { name: 'at', read: (offset, signal) => dueTimes({ cron, now }, offset, signal) };
  }
  const schedule = { everyMs: durationMs(every ?? '1s'), count, now };
  return { name: '0', read: (offset, signal) => dueOrdinals(schedule, offset, signal) };
}
