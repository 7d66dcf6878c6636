/**
 * The built-in node types: `code` and the operators with their forms. An operator node is a call of the SDK
 * function of the same name; its form's JSON is the setting, expressions in it are TypeScript.
 */
import { z } from 'zod';
import { durationSetting, parseDuration, parseSignedDuration, signedDurationSetting } from './durations.ts';
import type { NodeTypeSpec, NodeTypes } from './node-types.ts';
import { joinTypes } from './operators/joins.ts';
import { reductionTypes } from './operators/reductions.ts';
import { sequenceTypes } from './operators/sequences.ts';
import { expressionSetting, length } from './operators/settings.ts';

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
]);

const of = expressionSetting().describe('TypeScript expression over value');

export const aggregateSetting = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('count') }),
  z.strictObject({ type: z.literal('sum'), of }),
  z.strictObject({ type: z.literal('min'), of }),
  z.strictObject({ type: z.literal('max'), of }),
  z.strictObject({ type: z.literal('avg'), of }),
]);

/** Record keys are checked by hand: zod drops a key `__proto__` without a word. */
const aggregates = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      message: 'is not an object of aggregates by name',
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

export const aggregateConfig = z.strictObject({
  window: windowSetting.describe('Which records are put together, by their event time'),
  aggregates: aggregates.describe('Name of the output field and how it is computed'),
  allowedLateness: durationSetting()
    .optional()
    .describe('How long after its end a window takes late records'),
});

export type AggregateConfig = Omit<z.infer<typeof aggregateConfig>, 'aggregates'> & {
  readonly aggregates: Readonly<Record<string, z.infer<typeof aggregateSetting>>>;
};

const deduplicateConfig = z.strictObject({
  within: durationSetting()
    .refine((text) => parseDuration(text) !== 0, 'is nothing; nothing would be the same as anything')
    .describe('How long after a record, in event time, another one is taken for the same'),
  by: expressionSetting()
    .optional()
    .describe('TypeScript expression over value: what makes records the same. Default: their key.'),
});

const intervalJoinConfig = z
  .strictObject({
    lower: signedDurationSetting().describe(
      'Least time from the left record to the right one. With a minus the right one may come before.',
    ),
    upper: signedDurationSetting().describe('Greatest time from the left record to the right one'),
    join: expressionSetting()
      .optional()
      .describe('TypeScript expression over left and right: what a pair becomes. Default: both.'),
  })
  .superRefine(({ lower, upper }, context) => {
    const [least, most] = [parseSignedDuration(lower), parseSignedDuration(upper)];
    if (least === undefined || most === undefined || least <= most) return;
    context.addIssue({ code: 'custom', message: 'is above the upper bound', path: ['lower'] });
  });

const expressionForm = z.strictObject({
  expression: expressionSetting().describe('TypeScript expression over value and record'),
});
const operatorPorts = { kind: 'computation', inputs: ['in'], outputs: ['out'] } as const;

export const builtInTypes: readonly NodeTypeSpec[] = [
  {
    type: 'code',
    kind: 'computation',
    title: 'Code',
    description: 'A computation written in TypeScript.',
    config: z.strictObject({}),
    inputs: 'any',
    outputs: 'any',
  },
  {
    ...operatorPorts,
    type: 'operator/map',
    title: 'Map',
    description: 'Turns each value into another one.',
    config: expressionForm,
    expressions: ['expression'],
  },
  {
    ...operatorPorts,
    type: 'operator/filter',
    title: 'Filter',
    description: 'Lets the records through for which the expression is true.',
    config: expressionForm,
    expressions: ['expression'],
  },
  {
    ...operatorPorts,
    type: 'operator/flatMap',
    title: 'Flat map',
    description: 'Turns each value into any number of values.',
    config: expressionForm,
    expressions: ['expression'],
  },
  {
    ...operatorPorts,
    type: 'operator/union',
    title: 'Union',
    description: 'Joins several streams into one.',
    config: z.strictObject({}),
  },
  {
    ...operatorPorts,
    outputs: ['out', 'late'],
    type: 'operator/aggregate',
    title: 'Aggregate',
    description: 'Computes figures per key and window.',
    config: aggregateConfig,
  },
  {
    ...operatorPorts,
    outputs: ['out', 'late'],
    type: 'operator/deduplicate',
    title: 'Deduplicate',
    description: 'Passes on the first of the records that are the same.',
    config: deduplicateConfig,
    expressions: ['by'],
  },
  {
    kind: 'computation',
    inputs: ['left', 'right'],
    outputs: ['out', 'late'],
    type: 'operator/intervalJoin',
    title: 'Interval join',
    description: 'Pairs the records of two streams with one key that lie close in event time.',
    config: intervalJoinConfig,
    expressions: ['join'],
  },
  ...joinTypes,
  ...sequenceTypes,
  ...reductionTypes,
];

/** The registry of a product: the built-in types and those of its connectors. */
export function nodeTypes(connectors: readonly NodeTypeSpec[] = []): NodeTypes {
  const types = new Map<string, NodeTypeSpec>();
  for (const spec of [...builtInTypes, ...connectors]) {
    if (types.has(spec.type)) throw new Error(`node type '${spec.type}' is registered twice`);
    types.set(spec.type, spec);
  }
  return types;
}
