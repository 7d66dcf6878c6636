import { expressionSetting, type NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';

export const generatorConfig = z.strictObject({
  value: expressionSetting().describe(
    'An expression over `n` (0, 1, 2, …), `time` (milliseconds) and `random()` that gives the value of record n.',
  ),
  rate: z
    .union([z.literal('max'), z.number().positive().max(10_000_000)])
    .describe('Records per second, or `max`: as fast as the pipeline takes them. Default: 1.')
    .optional(),
  count: z
    .int()
    .nonnegative()
    .describe('How many records in all. Without it the generator never ends.')
    .optional(),
  ...ingestSettings,
});

export const generatorSpec: NodeTypeSpec = {
  type: 'injector/generator',
  kind: 'injector',
  isEndless: ({ count }) => count === undefined,
  title: 'Generator',
  description: 'Makes records by an expression, at a steady rate or as fast as they are taken.',
  config: generatorConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['value', 'timestamp'],
};
