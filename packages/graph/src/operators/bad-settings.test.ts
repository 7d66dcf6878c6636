/** Settings of operators that could only surprise at run time are issues, each with its place. */
import { describe, expect, it } from 'vitest';
import { nodeTypes } from '../operators.ts';

function issuesOf(operator: string, config: unknown): string[] {
  const { error } = nodeTypes().get(`operator/${operator}`)!.config.safeParse(config);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}
const tumbling = { type: 'tumbling', size: '1m' };
const of = (window: unknown, more: object = {}, n: object = { type: 'count' }) => ({
  window,
  aggregates: { n },
  ...more,
});
const steps = [{ name: 'a', where: 'true' }];

describe('bad settings of operators', () => {
  it.each<[operator: string, config: unknown, issue: string]>([
    ['windowJoin', { window: { type: 'tumbling', size: '0s' } }, 'window.size is nothing'],
    [
      'windowJoin',
      { window: { type: 'hopping', size: '1d', slide: '1ms' } },
      'window.slide puts each record into 86400000 windows',
    ],
    ['windowJoin', { window: { type: 'session', gap: '0s' } }, 'window.gap is nothing'],
    ['windowJoin', { window: { type: 'calendar', unit: 'day', zone: 'X/Y' } }, 'window.zone is no time zone'],
    ['windowJoin', { window: tumbling, allowedLateness: '-1s' }, 'allowedLateness is not a duration'],
    ['windowJoin', { window: tumbling, kind: 'outer' }, 'kind Invalid option'],
    ['tableJoin', { kind: 'outer' }, 'kind Invalid option'],
    ['lookup', { kind: 'full' }, 'kind Invalid option'],
    ['lookup', { join: '' }, 'join is empty'],
    ['lookup', { cache: '1m' }, 'Unrecognized key'],
    ['table', { deletes: ' ' }, 'deletes is empty'],
    ['save', { every: '0s' }, 'every is nothing'],
    ['save', { every: '1m', allowedLateness: '-1s' }, 'allowedLateness is not a duration'],
    ['reduceByKey', { reduce: 'a + b', every: '0s' }, 'every is nothing'],
    ['reduceByWindow', { reduce: 'a + b', size: '1s', slide: '2s' }, 'slide is longer than the window'],
    [
      'reduceByWindow',
      { reduce: 'Math.max(a, b)', inverse: 'a - b', size: '2s', slide: '1s' },
      'inverse undoes nothing',
    ],
    ['track', { init: '1', update: '2', timeout: '0s' }, 'timeout is nothing'],
    ['pattern', { steps: [], within: '1m' }, 'steps has no step'],
    ['pattern', { steps: [...steps, ...steps], within: '1m' }, 'steps.1.name is the name of an earlier step'],
    ['pattern', { steps, within: '0s' }, 'within is nothing'],
    ['pattern', { steps, within: '1m', skip: 'toLast' }, 'skipTo names no step; write one of a'],
    ['pattern', { steps, within: '1m', skip: 'toLast', skipTo: 'b' }, 'skipTo names no step'],
    ['pattern', { steps, within: '1m', skipTo: 'a' }, 'skipTo names a step, but skip is neither'],
    [
      'aggregate',
      of({ type: 'hopping', size: '1h', slide: '1ms' }, { trigger: { early: '1s' } }),
      'window.slide puts each record into 3600000 windows',
    ],
    ['aggregate', of({ type: 'calendar', unit: 'hour' }), 'window.unit Invalid option'],
    ['aggregate', of({ type: 'calendar', unit: 'day', zone: 'Mars/Base' }), 'window.zone is no time zone'],
    ['aggregate', of({ type: 'hopping', size: '1m', slide: '0s' }), 'window.slide is nothing'],
    ['aggregate', of(tumbling, { trigger: { late: '1s' } }), 'trigger.late can never fire without'],
    [
      'aggregate',
      of({ type: 'global' }, { trigger: { late: '1s' }, allowedLateness: '1m' }),
      'trigger.late can never fire: nothing is late',
    ],
    [
      'aggregate',
      of(tumbling, { trigger: { early: '0s' } }),
      'trigger.early is nothing; it would never fire',
    ],
    [
      'aggregate',
      of(tumbling, { trigger: { early: { type: 'all', of: [] } } }),
      'trigger.early.of names no trigger',
    ],
    [
      'aggregate',
      of(tumbling, { trigger: { early: { type: 'records', every: 0 } } }),
      'trigger.early.every Too small',
    ],
    [
      'aggregate',
      of(tumbling, { trigger: { onTime: 'always' }, accumulation: 'discarding' }),
      'trigger.onTime is always',
    ],
    [
      'aggregate',
      of({ type: 'session', gap: '1s' }, { retractions: true }),
      'retractions cannot be taken by sessions',
    ],
    [
      'aggregate',
      of(tumbling, { retractions: true, accumulation: 'discarding' }),
      'cannot be taken by panes',
    ],
    ['aggregate', of(tumbling, { retractions: true }, { type: 'max', of: '1' }), 'aggregates.n is a max'],
    ['aggregate', of(tumbling, {}, { type: 'quantiles', of: '1', at: [50] }), 'aggregates.n.at.0 Too big'],
    ['aggregate', of(tumbling, {}, { type: 'topK', of: '1', by: '1', k: 0 }), 'aggregates.n.k Too small'],
  ])('%s %j: %s', (operator, config, issue) => {
    expect(issuesOf(operator, config).join('\n')).toContain(issue);
  });

  it('good ones are none', () => {
    expect(issuesOf('aggregate', of({ type: 'hopping', size: '1h', slide: '1ms' }))).toEqual([]);
    expect(issuesOf('windowJoin', { window: tumbling, kind: 'full', allowedLateness: '1s' })).toEqual([]);
    expect(
      issuesOf('reduceByWindow', { reduce: 'a + b', inverse: 'a - b', size: '2s', slide: '1s' }),
    ).toEqual([]);
    expect(issuesOf('pattern', { steps, within: '1m', skip: 'toLast', skipTo: 'a' })).toEqual([]);
  });
});
