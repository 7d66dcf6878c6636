/** injector/http: offers a pipeline's node to those who post. What it hands over are whole requests. */
import type { InjectorConnector } from '@millrace/engine';
import { ConnectorError } from '../shared/connector-error.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import type { ByteBudget } from './byte-budget.ts';
import { HttpInjector } from './http-injector.ts';
import type { IngestDoors, PipelineNames } from './ingest-doors.ts';
import { httpInjectorConfig } from './spec.ts';

export interface Offer {
  readonly doors: IngestDoors;
  readonly pipeline: PipelineNames;
  readonly budget: ByteBudget;
}

const REMEMBER = '1d';

/** Without an offer it can be opened to see whether it could be, and not run. */
export function httpInjector(offer?: Offer): InjectorConnector {
  return {
    async open(config, context) {
      const { remember = REMEMBER } = readSettings(httpInjectorConfig, config, context);
      if (context.requestMemory === undefined) return { partitions: [], close: async () => undefined };
      if (offer === undefined)
        throw new ConnectorError({
          code: 'no-listener',
          node: context.nodeName,
          tried: 'take requests',
          reason: 'nothing listens for them in this process.',
          remedy: 'Run the pipeline with `millrace run`, or deploy it to a server.',
        });
      const memory = context.requestMemory(durationMs(remember));
      const injector = new HttpInjector(memory, () => context.now(), offer.budget);
      const node = { id: context.nodeId, name: context.nodeName };
      const leave = offer.doors.open({ pipeline: offer.pipeline, node, injector });
      return {
        partitions: [injector.partition],
        async close() {
          leave();
          injector.close();
        },
      };
    },
  };
}
