/**
 * The built-in node types: `code` and the operators with their forms. An operator node is a call of the SDK
 * function of the same name; its form's JSON is the setting, expressions in it are TypeScript.
 */
import { z } from 'zod';
import { durationSetting, parseDuration, parseSignedDuration, signedDurationSetting } from './durations.ts';
import type { NodeTypeSpec, NodeTypes } from './node-types.ts';
import { aggregateConfig } from './operators/aggregate.ts';
import { joinTypes } from './operators/joins.ts';
import { reductionTypes } from './operators/reductions.ts';
import { sequenceTypes } from './operators/sequences.ts';
import { expressionSetting } from './operators/settings.ts';

const deduplicateConfig = z.strictObject({
  within: durationSetting()
    .refine((text) => parseDuration(text) !== 0, 'is nothing; nothing would be the same as anything')
    .describe('How near in event time two records are taken for the same'),
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
