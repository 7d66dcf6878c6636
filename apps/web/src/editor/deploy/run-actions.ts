/** What one can ask of a pipeline that is deployed, from what it should do and what it does. Pure. */
import type { Deployment } from './deployed-store.ts';

export type Wish = 'pause' | 'resume' | 'start' | 'retry' | 'stop' | 'kill' | 'rollback';

export interface RunRights {
  readonly mayOperate: boolean;
  readonly mayDeploy: boolean;
  /** What ran before the last deploy; undefined: nothing did. */
  readonly previous: number | undefined;
}

type Known = Pick<Deployment, 'desired' | 'observed'>;

/** Only what has an effect now: a button that does nothing is not shown. */
export function runActions(
  deployment: Known,
  { mayOperate, mayDeploy, previous }: RunRights,
): readonly Wish[] {
  const wishes: Wish[] = mayOperate ? operations(deployment) : [];
  return mayDeploy && previous !== undefined ? [...wishes, 'rollback'] : wishes;
}

function operations({ desired, observed: { state } }: Known): Wish[] {
  if (desired === 'stopped')
    return state === 'draining' || state === 'redriving' ? ['start', 'kill'] : ['start'];
  // It has nothing more to do: what is left is another version.
  if (state === 'ended') return [];
  // Dead letters of one that had ended: it ends again by itself, unless a sink does not take them.
  if (state === 'redriving') return ['stop', 'kill'];
  if (state === 'failed') return ['retry', 'stop'];
  return [desired === 'paused' ? 'resume' : 'pause', 'stop', 'kill'];
}
