/** Forms of the operators that are about the order of records in event time. */
import { z } from 'zod';
import type { NodeTypeSpec } from '../node-types.ts';
import { expressionSetting, length } from './settings.ts';

const step = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'cannot name a step; use letters, digits and _, a letter first')
    .describe('Name of the step; its records stand under it in the match'),
  where: expressionSetting().describe(
    'TypeScript expression over value and matched: whether a record can be this step’s',
  ),
  after: z
    .enum(['next', 'followedBy', 'followedByAny'])
    .optional()
    .describe(
      'How it comes after the step before: as the very next record, as the first one that fits, or as any one that fits. Default: followedBy.',
    ),
  oneOrMore: z.boolean().optional().describe('Takes one record or several. Default: false.'),
});

const patternConfig = z
  .strictObject({
    steps: z.array(step).min(1, 'has no step; add at least one').max(50).describe('What follows what'),
    within: length().describe('All records of a match lie in a span shorter than this'),
    skip: z
      .enum(['none', 'toNext', 'pastLast', 'toFirst', 'toLast'])
      .optional()
      .describe(
        'Where other matches may begin after a match: anywhere, behind its first record, behind its last, at the first or the last record of a step. Default: pastLast.',
      ),
    skipTo: z.string().optional().describe('Which step, for toFirst and toLast'),
    select: expressionSetting()
      .optional()
      .describe('TypeScript expression over matched: what a match becomes. Default: its records by step.'),
  })
  .superRefine(({ steps, skip, skipTo }, context) => {
    const names = steps.map(({ name }) => name);
    for (const [i, name] of names.entries()) {
      if (names.indexOf(name) === i) continue;
      const message = `is the name of an earlier step, too`;
      context.addIssue({ code: 'custom', message, path: ['steps', i, 'name'] });
    }
    const goesToStep = skip === 'toFirst' || skip === 'toLast';
    if (goesToStep === (skipTo !== undefined) && (skipTo === undefined || names.includes(skipTo))) return;
    const message = !goesToStep
      ? 'names a step, but skip is neither toFirst nor toLast'
      : `names no step; write one of ${names.join(', ')}`;
    context.addIssue({ code: 'custom', message, path: ['skipTo'] });
  });

const ports = { kind: 'computation', inputs: ['in'] } as const;

export const sequenceTypes: readonly NodeTypeSpec[] = [
  {
    ...ports,
    outputs: ['out', 'late'],
    type: 'operator/sortByTime',
    title: 'Sort by time',
    description: 'Gives the records of each key in the order of their event times.',
    config: z.strictObject({
      by: expressionSetting()
        .optional()
        .describe(
          'TypeScript expression over value: which of several records of one time comes first. Default: the one that came first.',
        ),
    }),
    expressions: ['by'],
  },
  {
    ...ports,
    outputs: ['out', 'timeout', 'late'],
    type: 'operator/pattern',
    title: 'Pattern',
    description: 'Finds records of a key that follow each other as its steps say.',
    config: patternConfig,
    expressions: ['select'],
  },
];
