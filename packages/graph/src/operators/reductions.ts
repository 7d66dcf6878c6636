/** Forms of the operators that come from Discretized Streams: reductions, tracking, grouping (D8). */
import { z } from 'zod';
import { parseDuration } from '../durations.ts';
import type { NodeTypeSpec } from '../node-types.ts';
import { allowedLateness, expressionSetting, length } from './settings.ts';

const reduce = expressionSetting().describe('TypeScript expression over a and b: two values as one');

const slidingReduction = z
  .strictObject({
    reduce,
    size: length().describe('Length of a window'),
    slide: length().describe('A window ends every so often'),
    inverse: expressionSetting()
      .optional()
      .describe(
        'TypeScript expression over a and b: what a was before b was put to it. With it long windows cost no more than short ones.',
      ),
    allowedLateness: allowedLateness(),
  })
  .superRefine(({ reduce: combines, inverse, size, slide }, context) => {
    if ((parseDuration(slide) ?? 0) > (parseDuration(size) ?? Number.POSITIVE_INFINITY)) {
      const message = 'is longer than the window; what lies between two windows would be in none';
      context.addIssue({ code: 'custom', message, path: ['slide'] });
    }
    const taken = /\bMath\.(?:max|min)\b/.exec(combines)?.[0];
    if (inverse !== undefined && taken !== undefined) {
      const message = `undoes nothing: of what ${taken} left out nothing is known; take it away`;
      context.addIssue({ code: 'custom', message, path: ['inverse'] });
    }
  });

const ports = { kind: 'computation', inputs: ['in'] } as const;

export const reductionTypes: readonly NodeTypeSpec[] = [
  {
    ...ports,
    outputs: ['out', 'late'],
    type: 'operator/save',
    title: 'Save',
    description: 'Gives what came in an interval of event time as one record, for the sink behind it.',
    config: z.strictObject({
      every: length().describe('Length of an interval'),
      allowedLateness: allowedLateness(),
    }),
  },
  {
    ...ports,
    outputs: ['out', 'late'],
    type: 'operator/reduceByKey',
    title: 'Reduce by key',
    description: 'Makes one value of those of a key, interval by interval of event time.',
    config: z.strictObject({
      reduce,
      every: length().describe('Length of an interval'),
      allowedLateness: allowedLateness(),
    }),
    expressions: ['reduce'],
  },
  {
    ...ports,
    outputs: ['out', 'late'],
    type: 'operator/reduceByWindow',
    title: 'Reduce by window',
    description: 'Makes one value of those of a key in a sliding window.',
    config: slidingReduction,
    expressions: ['reduce', 'inverse'],
  },
  {
    ...ports,
    outputs: ['out'],
    type: 'operator/runningReduce',
    title: 'Running reduce',
    description: 'For each record, what the values of its key have come to so far.',
    config: z.strictObject({ reduce }),
    expressions: ['reduce'],
  },
  {
    ...ports,
    outputs: ['out', 'ended', 'late'],
    type: 'operator/track',
    title: 'Track',
    description: 'A state for each key that is there, until a record or a silence ends it.',
    config: z.strictObject({
      init: expressionSetting().describe(
        'TypeScript expression over value and record: the state of a key from its first record; null begins nothing',
      ),
      update: expressionSetting().describe(
        'TypeScript expression over state, value and record: the state after another record; null ends it',
      ),
      timeout: length().describe('A key without a record for so long, in event time, ends'),
    }),
    expressions: ['init', 'update'],
  },
  {
    ...ports,
    outputs: ['out'],
    type: 'operator/groupBy',
    title: 'Group by',
    description: 'Gives each record the key of its group.',
    config: z.strictObject({
      expression: expressionSetting().describe('TypeScript expression over value and record: the key'),
    }),
    expressions: ['expression'],
  },
  {
    ...ports,
    outputs: ['out'],
    type: 'operator/forEach',
    title: 'For each',
    description: 'Looks at each record, to log or to count, and passes it on.',
    config: z.strictObject({
      expression: expressionSetting().describe(
        'TypeScript expression over value, record and ctx, such as ctx.count(value.kind)',
      ),
    }),
    expressions: ['expression'],
  },
];
