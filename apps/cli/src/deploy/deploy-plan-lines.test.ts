import { expect, it } from 'vitest';
import { styleFor } from '../text/style.ts';
import { deployPlanLines } from './deploy-plan-lines.ts';

it('a plan is shown as a table with the way on', () => {
  const lines = deployPlanLines(
    {
      nodes: [
        {
          id: 'n_count',
          name: 'count',
          kind: 'removed',
          changes: [],
          note: 'its state and timers would go',
          losesState: true,
        },
        { id: 'n_map', name: 'map', kind: 'changed', changes: ['code'], note: '', losesState: false },
      ],
      losing: ['n_count'],
    },
    100,
    styleFor(false),
  );
  expect(lines).toContain('count  removed           its state and timers would go');
  expect(lines.join('\n')).toContain('--drop-state');
});
