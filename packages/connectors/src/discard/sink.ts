/** sink/discard: nothing leaves the worker; a mark is kept so that an engine may treat it like any sink. */
import type { OpenSink, SinkConnector } from '@millrace/engine';
import { readSettings } from '../shared/settings.ts';
import { discardConfig } from './spec.ts';

export const discardSink: SinkConnector = {
  egress: 'none',
  async open(config, context): Promise<OpenSink> {
    readSettings(discardConfig, config, context);
    return {
      through: (await context.mark())?.through ?? 0,
      async deliver(batch) {
        await context.commit({ through: batch.through, detail: {} }, []);
        return { rejected: 0 };
      },
      close: async () => {},
    };
  },
};
