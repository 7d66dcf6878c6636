/** The form of `aggregate`: windows, triggers and figures. What could never work, or never fire, is an issue. */
import { z } from 'zod';
import { durationSetting, parseDuration, signedDurationSetting } from '../durations.ts';
import { tooManyWindows } from './most-windows.ts';
import { allowedLateness, expressionSetting, length } from './settings.ts';

const size = length().describe('Length of a window');
const offset = durationSetting().optional().describe('Moves the window borders by this much');

export const windowSetting = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tumbling'), size, offset }),
  z.strictObject({
    type: z.literal('hopping'),
    size,
    slide: length().describe('A window begins every so often'),
    offset,
  }),
  z.strictObject({
    type: z.literal('session'),
    gap: length().describe('A pause of this length ends the session'),
  }),
  z.strictObject({
    type: z.literal('calendar'),
    unit: z.enum(['day', 'week', 'month', 'quarter', 'year']).describe('Weeks begin on Monday'),
    zone: z
      .string()
      .refine(isZone, 'is no time zone; write an IANA name such as Europe/Berlin')
      .optional()
      .describe('Whose clocks say when a day begins. Default: UTC.'),
    offset: signedDurationSetting()
      .refine(
        (text) => (parseDuration(text.replace(/^-/, '')) ?? 0) <= 366 * 86_400_000,
        'is longer than a year',
      )
      .optional()
      .describe('Moves the window borders on the clock: with `6h` a day begins at six'),
  }),
  z.strictObject({ type: z.literal('global') }),
]);

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const pause = durationSetting().refine(
  (text) => parseDuration(text) !== 0,
  'is nothing; it would never fire',
);
const simple = [
  z.strictObject({
    type: z.literal('time'),
    every: pause.describe('Of the wall clock, at its full multiples'),
  }),
  z.strictObject({
    type: z.literal('records'),
    every: z.int().min(1).describe('How many new records of a window'),
  }),
] as const;
/** A duration alone is short for `{ type: 'time', every }`. */
const SHORT = { short: ['time', 'every'] };
const single = z.union([pause, z.discriminatedUnion('type', simple)]).meta(SHORT);
const several = z
  .array(single)
  .min(1, 'names no trigger; it would never fire')
  .max(100)
  .describe('The triggers it is made of');
const repeated = (): z.ZodType =>
  z
    .union([
      pause,
      z.discriminatedUnion('type', [
        ...simple,
        z.strictObject({ type: z.literal('any'), of: several }),
        z.strictObject({ type: z.literal('all'), of: several }),
        z.strictObject({ type: z.literal('sequence'), of: several }),
      ]),
    ])
    .meta(SHORT);

const triggerSetting = z.strictObject({
  early: repeated().optional().describe('Before the end of a window. Default: not at all.'),
  late: repeated().optional().describe('For late records. Default: every record.'),
  onTime: z
    .enum(['if-new', 'always'])
    .optional()
    .describe('At the end, also where early panes have shown all? Default: if-new.'),
});

const of = expressionSetting().describe('TypeScript expression over value');

export const aggregateSetting = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('count') }),
  z.strictObject({ type: z.literal('sum'), of }),
  z.strictObject({ type: z.literal('min'), of }),
  z.strictObject({ type: z.literal('max'), of }),
  z.strictObject({ type: z.literal('avg'), of }),
  z.strictObject({ type: z.literal('distinct'), of }),
  z.strictObject({ type: z.literal('approxDistinct'), of }),
  z.strictObject({
    type: z.literal('quantiles'),
    of,
    at: z
      .array(z.number().min(0).max(1))
      .min(1, 'names no quantile; write for example 0.5 and 0.99')
      .max(100)
      .describe('From 0 (least) to 1 (greatest); 0.5 is the median'),
  }),
  z.strictObject({
    type: z.literal('topK'),
    of: expressionSetting().describe('TypeScript expression over value: what is kept of a record'),
    by: expressionSetting().describe('TypeScript expression over value: what records are ranked by'),
    k: z.int().min(1).max(10_000).describe('How many'),
    order: z.enum(['largest', 'smallest']).optional().describe('Which come first. Default: largest.'),
    ties: z
      .enum(['cut', 'keep'])
      .optional()
      .describe('Whether those that rank as the last one stay, too. Default: cut.'),
  }),
  z.strictObject({ type: z.literal('collect'), of }),
]);

/** Aggregates from which a record can be taken off again. */
const RETRACTABLE = ['count', 'sum', 'avg', 'collect'];

/** Record keys are checked by hand: zod drops a key `__proto__` without a word. */
const aggregates = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      error: ({ input }) =>
        input === undefined ? 'is missing; add at least one' : 'is not an object of aggregates by name',
    },
  )
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    if (entries.length === 0)
      context.addIssue({ code: 'custom', message: 'names no aggregate; add at least one' });
    for (const [name, aggregate] of entries) {
      if (!/^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name)) {
        const message = `'${name}' cannot name an aggregate; use letters, digits and _, a letter first`;
        context.addIssue({ code: 'custom', message, path: [name] });
      }
      const { error } = aggregateSetting.safeParse(aggregate);
      for (const issue of error?.issues ?? []) {
        context.addIssue({ code: 'custom', message: issue.message, path: [name, ...issue.path] });
      }
    }
  })
  .meta({ form: 'aggregates' });

export const aggregateConfig = z
  .strictObject({
    window: windowSetting.describe('Which records are put together, by their event time'),
    aggregates: aggregates.describe('Name of the output field and how it is computed'),
    allowedLateness: allowedLateness(),
    trigger: triggerSetting
      .optional()
      .describe('When a window shows what it has, beside its end')
      .meta({ advanced: true }),
    accumulation: z
      .enum(['accumulating', 'discarding', 'accumulating-and-retracting'])
      .optional()
      .describe(
        'Whether a pane holds all of its window, only what is new, or all and takes the pane before it back. Default: accumulating.',
      )
      .meta({ advanced: true }),
    retractions: z
      .boolean()
      .optional()
      .describe('Take off again what an aggregate in front takes back. Default: false.')
      .meta({ advanced: true }),
  })
  .superRefine((config, context) => {
    for (const { path, message } of conflicts(config as AggregateConfig))
      context.addIssue({ code: 'custom', message, path });
  });

export type AggregateConfig = Omit<z.infer<typeof aggregateConfig>, 'aggregates'> & {
  readonly aggregates: Readonly<Record<string, z.infer<typeof aggregateSetting>>>;
};

interface Conflict {
  readonly path: string[];
  readonly message: string;
}

function conflicts(config: AggregateConfig): readonly Conflict[] {
  const { window, trigger = {}, accumulation, allowedLateness: lateness } = config;
  const found: Conflict[] = [];
  const isLate = lateness !== undefined && parseDuration(lateness) !== 0;
  if (trigger.late !== undefined && (!isLate || window.type === 'global')) {
    const message =
      window.type === 'global'
        ? 'can never fire: nothing is late for a global window'
        : 'can never fire without allowedLateness: late records are dropped';
    found.push({ path: ['trigger', 'late'], message });
  }
  if (trigger.onTime === 'always' && accumulation === 'discarding')
    found.push({
      path: ['trigger', 'onTime'],
      message: 'is always, but panes that discard have nothing to show again',
    });
  const isPlain =
    Object.keys(trigger).length === 0 &&
    config.retractions !== true &&
    accumulation !== 'accumulating-and-retracting';
  const many = isPlain ? undefined : tooManyWindows(window);
  if (many !== undefined) found.push({ path: ['window', 'slide'], message: many });
  return config.retractions === true ? [...found, ...retractionConflicts(config)] : found;
}

function retractionConflicts({
  window,
  accumulation,
  aggregates: named,
}: AggregateConfig): readonly Conflict[] {
  const found: Conflict[] = [];
  const path = ['retractions'];
  if (window.type === 'session')
    found.push({
      path,
      message: 'cannot be taken by sessions: without a record one session might have been two',
    });
  if (accumulation === 'discarding')
    found.push({
      path,
      message: 'cannot be taken by panes that discard: the record may be in an earlier one',
    });
  for (const [name, { type }] of Object.entries(named)) {
    if (RETRACTABLE.includes(type)) continue;
    const message = `is a ${type}, from which nothing can be taken off again; retractions need ${RETRACTABLE.join(', ')}`;
    found.push({ path: ['aggregates', name], message });
  }
  return found;
}
