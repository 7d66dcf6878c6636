/** injector/generator: hands over ordinals; the value expression runs in the worker. */
import type { InjectorConnector, OpenInjector } from '@millrace/engine';
import { dueOrdinals } from '../shared/ordinal-schedule.ts';
import { readSettings } from '../shared/settings.ts';
import { generatorConfig } from './spec.ts';

const DEFAULT_RATE = 1;

export const generatorInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const { rate = DEFAULT_RATE, count } = readSettings(generatorConfig, config, context);
    const schedule = { everyMs: rate === 'max' ? 0 : 1000 / rate, count, now: () => context.now() };
    return {
      partitions: [{ name: '0', read: (offset, signal) => dueOrdinals(schedule, offset, signal) }],
      close: async () => {},
    };
  },
};
