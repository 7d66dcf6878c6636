/** What to tell of a pipeline: a pure function of the wish, the facts and the step that follows from them. */
import type { Observation } from '@millrace/protocol/control';
import { type Checked, type Facts, MOST_START_CRASHES, type Step, type Wish } from './next-step.ts';

export type Seen = Pick<Observation, 'state' | 'reason' | 'retryAt' | 'version'>;

/** Undefined: nothing new to tell, as while it waits for its turn. */
export function seen(wish: Wish, facts: Facts, step: Step, isUp: boolean): Seen | undefined {
  return facts.running === undefined ? seenIdle(wish, facts, step) : seenRunning(wish, facts, isUp);
}

function seenRunning(wish: Wish, facts: Facts, isUp: boolean): Seen | undefined {
  const { running, checked } = facts;
  if (running === undefined) return undefined;
  const { version } = running;
  if (running.mode === 'redrive' && running.asked !== 'abort') return { state: 'redriving', version };
  if (running.asked !== 'nothing' || running.mode === 'finish') return { state: 'draining', version };
  if (!isUp) return { state: 'starting', version };
  return { state: running.paused ? 'paused' : 'running', version, ...unable(wish, checked) };
}

function seenIdle(wish: Wish, facts: Facts, step: Step): Seen | undefined {
  if (step.kind === 'settle') return { state: step.state };
  if (step.kind === 'quarantine')
    return {
      state: 'failed',
      reason: `the engine host ended ${MOST_START_CRASHES} times while this pipeline was starting; start it by hand when the cause is gone`,
    };
  if (step.kind !== 'wait') return undefined;
  const { last, current, checked } = facts;
  const version = current === undefined ? {} : { version: current };
  if (last?.kind === 'ended' && last.revision === wish.revision) return { state: 'ended', ...version };
  if (last?.kind === 'failed' && last.revision === wish.revision)
    return { state: 'failed', reason: last.error, ...retry(last.retryAt), ...version };
  const why = unable(wish, checked);
  return why === undefined ? undefined : { state: 'failed', ...why };
}

function unable(wish: Wish, checked: Checked | undefined): { reason: string; retryAt?: number } | undefined {
  if (checked?.kind !== 'unable' || checked.revision !== wish.revision) return undefined;
  return { reason: `version ${wish.version} cannot run: ${checked.error}`, ...retry(checked.retryAt) };
}

const retry = (retryAt: number | undefined) => (retryAt === undefined ? {} : { retryAt });
