import { durationSetting, type NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';

const { watermark: _followsTheLargestTime, ...settings } = ingestSettings;

export const httpInjectorConfig = z.strictObject({
  remember: durationSetting()
    .describe(
      'How long an `Idempotency-Key` is remembered: a request that comes again within this time, with the same key and body, gets the same answer and no record twice. Default: 1d.',
    )
    .meta({ advanced: true })
    .optional(),
  ...settings,
});

export const httpInjectorSpec: NodeTypeSpec = {
  type: 'injector/http',
  kind: 'injector',
  isEndless: () => true,
  title: 'HTTP',
  description:
    'Takes records that clients post, and answers when they are committed. It never ends by itself.',
  config: httpInjectorConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
};
