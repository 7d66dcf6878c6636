/** injector/interval: hands over ordinals at wall times; the worker makes `{ n, time }` of them. */
import type { InjectorConnector, OpenInjector } from '@millrace/engine';
import { dueOrdinals } from '../shared/ordinal-schedule.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import { intervalConfig } from './spec.ts';

export const intervalInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const { every, count } = readSettings(intervalConfig, config, context);
    const schedule = { everyMs: durationMs(every), count, now: () => context.now() };
    return {
      partitions: [{ name: '0', read: (offset, signal) => dueOrdinals(schedule, offset, signal) }],
      close: async () => {},
    };
  },
};
