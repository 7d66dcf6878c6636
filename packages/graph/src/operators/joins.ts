/** Forms of the operators that put two streams together, and of the table that some of them take. */
import { z } from 'zod';
import type { NodeTypeSpec } from '../node-types.ts';
import { windowSetting } from './aggregate.ts';
import { tooManyWindows } from './most-windows.ts';
import { allowedLateness, expressionSetting } from './settings.ts';

const kind = z
  .enum(['inner', 'left', 'right', 'full'])
  .optional()
  .describe('Which rows come out although the other side has none, with null in its place. Default: inner.');
const join = expressionSetting()
  .optional()
  .describe('TypeScript expression over left and right: what a pair becomes. Default: both.');

export const joinTypes: readonly NodeTypeSpec[] = [
  {
    kind: 'computation',
    inputs: ['left', 'right'],
    outputs: ['out', 'late'],
    type: 'operator/lookup',
    title: 'Lookup',
    description: 'Puts beside each record the row that a table had for its key at its time.',
    config: z.strictObject({
      kind: z
        .enum(['inner', 'left'])
        .optional()
        .describe('left: records without a row come out, too, with null in its place. Default: inner.'),
      join: expressionSetting()
        .optional()
        .describe(
          'TypeScript expression over left and right: what a record and its row become. Default: both.',
        ),
    }),
    expressions: ['join'],
  },
  {
    kind: 'computation',
    inputs: ['left', 'right'],
    outputs: ['out', 'late'],
    type: 'operator/windowJoin',
    title: 'Window join',
    description: 'Pairs the records of two streams with one key that lie in the same window.',
    config: z.strictObject({
      window: windowSetting
        .superRefine((window, context) => {
          const message = tooManyWindows(window);
          if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['slide'] });
        })
        .describe('Which records are put together, by their event time'),
      kind,
      join,
      allowedLateness: allowedLateness(),
    }),
    expressions: ['join'],
  },
  {
    kind: 'computation',
    inputs: ['in'],
    outputs: ['out', 'late'],
    type: 'operator/table',
    title: 'Table',
    description: 'Keeps the latest row of each key and gives the changes: before and after.',
    config: z.strictObject({
      deletes: expressionSetting()
        .optional()
        .describe(
          'TypeScript expression over value: true for a record that takes the row away. Default: none does.',
        ),
    }),
    expressions: ['deletes'],
  },
  {
    kind: 'computation',
    inputs: ['left', 'right'],
    outputs: ['out'],
    type: 'operator/tableJoin',
    title: 'Table join',
    description: 'Joins two tables, given as their changes, into one.',
    config: z.strictObject({ kind, join }),
    expressions: ['join'],
  },
];
