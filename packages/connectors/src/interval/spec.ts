import { durationSetting, type NodeTypeSpec, parseDuration } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';

export const intervalConfig = z.strictObject({
  every: durationSetting()
    .refine((text) => parseDuration(text) !== 0, 'must be longer than nothing')
    .describe('Time between two records.'),
  count: z.int().nonnegative().describe('How many records in all. Without it there is no end.').optional(),
  ...ingestSettings,
});

export const intervalSpec: NodeTypeSpec = {
  type: 'injector/interval',
  kind: 'injector',
  isEndless: ({ count }) => count === undefined,
  title: 'Interval',
  description: 'Emits `{ n, time }` at a steady beat of the wall clock.',
  config: intervalConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
  valueType: () => '{ n: number; time: number }',
};
