import { durationSetting, type NodeTypeSpec, parseDuration } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';
import { parseCron } from './cron.ts';

export const intervalConfig = z
  .strictObject({
    every: durationSetting()
      .refine((text) => parseDuration(text) !== 0, 'must be longer than nothing')
      .describe('Time between two records.')
      .optional(),
    at: z
      .string()
      .superRefine((text, context) => {
        const parsed = parseCron(text);
        if (parsed.kind === 'cron') return;
        const message = `${parsed.fault}; write for example 30 2 * * * for half past two every day`;
        context.addIssue({ code: 'custom', message });
      })
      .describe(
        'Instead: times of a calendar as cron writes them (minute, hour, day of the month, month, day of the week), by the clocks of `zone`. A time that the clocks leave out comes right behind the gap, one that comes twice the first time.',
      )
      .optional(),
    count: z.int().nonnegative().describe('How many records in all. Without it there is no end.').optional(),
    ...ingestSettings,
  })
  .superRefine(({ every, at, count }, context) => {
    const report = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', message, path: [path] });
    if (every === undefined && at === undefined) report('every', 'is missing; give it, or "at"');
    if (every !== undefined && at !== undefined) report('at', 'cannot be given together with "every"');
    if (count !== undefined && at !== undefined) report('count', 'cannot be given together with "at"');
  });

export const intervalSpec: NodeTypeSpec = {
  type: 'injector/interval',
  kind: 'injector',
  isEndless: ({ count }) => count === undefined,
  title: 'Interval',
  description: 'Emits `{ n, time }` at a steady beat of the wall clock, or at times of a calendar.',
  config: intervalConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
  valueType: () => '{ n: number; time: number }',
};
