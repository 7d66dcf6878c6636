import type { StoredVersion } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { type Deploy, deploy } from './deploy.ts';
import type { DeployPlan } from './deploy-decision.ts';

const version = (number: number): StoredVersion => ({
  number,
  hash: `h${number}`,
  folder: '[]',
  plan: '{}',
  bundle: '',
  sdkVersion: '0',
});

/** A deploy of version 2 whose every step is written down. */
function setUp(
  current: number | undefined,
  more: Partial<Deploy> & { losing?: string[]; lastPosition?: number } = {},
) {
  const steps: string[] = [];
  let sequencer = 0;
  const plan: DeployPlan = { nodes: [], losing: more.losing ?? [] };
  const what: Deploy = {
    pipeline: {
      claimHost: async () => ++sequencer,
      lastPosition: async () => more.lastPosition ?? 7,
      reset: async (lease) => void steps.push(`reset under ${lease}`),
      versions: {
        current: async () => (current === undefined ? undefined : version(current)),
        activate: async (lease, number) => {
          steps.push(`activate ${number} under ${lease}`);
          return 'committed';
        },
      },
    },
    number: 2,
    fresh: false,
    dropState: false,
    plan: async () => plan,
    show: () => void steps.push('show'),
    drain: async (old, losing) => {
      steps.push(`drain ${old.number}${losing.length > 0 ? ` drop ${losing}` : ''}`);
      return {};
    },
    trouble: async () => undefined,
    stopping: () => false,
    ...more,
  };
  return { steps, run: () => deploy(what) };
}

describe('a deploy', () => {
  it('activates the first version', async () => {
    const { steps, run } = setUp(undefined);
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual(['activate 2 under 1']);
  });

  it('Y5: does nothing when the version runs already, so that a restart goes on', async () => {
    const { steps, run } = setUp(2);
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual([]);
  });

  it('Y6: shows the plan, drains the old version, then activates the new one', async () => {
    const { steps, run } = setUp(1);
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual(['show', 'drain 1', 'activate 2 under 1']);
  });

  it('Y1: touches nothing where state would go', async () => {
    const { steps, run } = setUp(1, { losing: ['n_count'] });
    expect(await run()).toMatchObject({ kind: 'state-would-go' });
    expect(steps).toEqual(['show']);
  });

  it('Y1: with --drop-state the state of these nodes goes after the drain, before the new version', async () => {
    const { steps, run } = setUp(1, { losing: ['n_count'], dropState: true });
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual(['show', 'drain 1 drop n_count', 'activate 2 under 1']);
  });

  it('--fresh forgets everything and asks nothing', async () => {
    const { steps, run } = setUp(1, { fresh: true, losing: ['n_count'] });
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual(['reset under 1', 'activate 2 under 2']);
  });

  it('Y6: keeps the old version when it could not finish, or was stopped while it did', async () => {
    const failing = setUp(1, { drain: async () => ({ error: 'disk is full' }) });
    expect(await failing.run()).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('disk is full'),
    });
    const stopped = setUp(1, { stopping: () => true });
    expect(await stopped.run()).toEqual({ kind: 'stopped' });
    for (const { steps } of [failing, stopped]) expect(steps.join()).not.toContain('activate');
  });

  it('DE1: a version that cannot read its sources changes nothing, and the old one stays', async () => {
    for (const [current, fresh] of [
      [undefined, false],
      [1, false],
      [1, true],
      [2, true],
    ] as const) {
      const { steps, run } = setUp(current, { fresh, trouble: async () => 'there is no such file' });
      expect(await run()).toEqual({ kind: 'failed', error: 'there is no such file' });
      expect(steps).toEqual([]);
    }
  });

  it('DE1: what runs already is not tried first: its own start tells', async () => {
    const { run } = setUp(2, { trouble: async () => 'there is no such file' });
    expect(await run()).toEqual({ kind: 'ready' });
  });

  it('DE2: a version before which nothing was committed is left at once, whatever the plan says', async () => {
    const { steps, run } = setUp(1, { losing: ['n_count'], lastPosition: 0 });
    expect(await run()).toEqual({ kind: 'ready' });
    expect(steps).toEqual(['activate 2 under 1']);
  });

  it('P6: a host that was fenced does not run', async () => {
    const { run } = setUp(undefined, {
      pipeline: {
        claimHost: async () => 1,
        lastPosition: async () => 0,
        reset: async () => {},
        versions: { current: async () => undefined, activate: async () => 'fenced' },
      },
    });
    expect(await run()).toMatchObject({ kind: 'failed', error: expect.stringContaining('Another host') });
  });
});
