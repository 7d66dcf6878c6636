/**
 * What to do next about one pipeline: a pure function of what is wished and what is. The runner does the step and
 * asks again, so that a wish that changes in the middle of anything is simply the next step.
 *
 * NS1 (Y6) A version is left only by a drain that ended, and only once the next one is known to be able to start.
 * NS2 Nothing is tried again before its time; what only a person can put right is not tried again at all.
 * NS3 A pipeline at whose start the host has ended three times is left alone until somebody acts.
 * NS4 (RV7) Dead letters of a pipeline that rests, stopped or at its end, are delivered by a run for them alone, through
 *     the active version; then it rests as before. Where something else is wished meanwhile that run ends first.
 */
import type { Deployment } from '@millrace/store';

export type Wish = Pick<
  Deployment,
  'version' | 'desired' | 'abandon' | 'workers' | 'dropState' | 'folder' | 'revision' | 'startCrashes'
>;

export interface Running {
  readonly version: number;
  readonly workers: number;
  readonly folder: string | undefined;
  /** `finish`: it only finishes what an earlier run left in flight; `redrive`: it takes dead letters, and reads nothing. */
  readonly mode: 'run' | 'finish' | 'redrive';
  readonly asked: 'nothing' | 'drain' | 'abort';
  readonly paused: boolean;
}

/** How the last run, or the last attempt at a step, ended. */
export type Last =
  | { readonly kind: 'ended'; readonly revision: number }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly revision: number;
      /** Wall time in ms; undefined: only a new wish is tried. */
      readonly retryAt: number | undefined;
    };

export interface Facts {
  readonly now: number;
  readonly running: Running | undefined;
  /** The active version; undefined before the first. */
  readonly current: number | undefined;
  /** Nothing of `current` is in flight, and the state of these nodes is gone. */
  readonly finished: { readonly dropped: readonly string[] } | undefined;
  readonly last: Last | undefined;
  /** Whether `wish.version` was found able to follow `current`; undefined: not looked at. */
  readonly checked: Checked | undefined;
  /** A drain was going on when the last host ended. */
  readonly drainLeft: boolean;
  /** Dead letters are being redriven by somebody (`wanted`), or were when the last host or run ended (`left`). */
  readonly letters: { readonly wanted: boolean; readonly left: boolean };
  /** A paused pipeline of this revision is not started: nobody has asked for it since the product was. */
  readonly heldRevision: number | undefined;
}

export type Checked =
  | { readonly kind: 'able'; readonly revision: number }
  | {
      readonly kind: 'unable';
      readonly revision: number;
      readonly error: string;
      readonly retryAt: number | undefined;
    };

export type Step =
  | { readonly kind: 'wait'; readonly until?: number }
  | { readonly kind: 'start' }
  /** Runs the current version until nothing of it is in flight, then drops state. */
  | { readonly kind: 'finish'; readonly dropState: readonly string[] }
  | { readonly kind: 'redrive'; readonly inputHasEnded: boolean }
  | { readonly kind: 'check' }
  | { readonly kind: 'activate' }
  | { readonly kind: 'drain' | 'abort' | 'pause' | 'resume' }
  /** As many workers as are wished, while it runs. */
  | { readonly kind: 'resize' }
  | { readonly kind: 'settle'; readonly state: 'stopped' | 'paused' }
  | { readonly kind: 'quarantine' };

export const MOST_START_CRASHES = 3;

const wait: Step = { kind: 'wait' };

export function nextStep(wish: Wish, facts: Facts): Step {
  return facts.running === undefined ? idleStep(wish, facts) : runningStep(wish, facts, facts.running);
}

function runningStep(wish: Wish, facts: Facts, running: Running): Step {
  if (running.asked === 'abort') return wait;
  if (wish.desired === 'stopped') {
    if (wish.abandon) return { kind: 'abort' };
    if (running.asked === 'drain' || running.mode === 'finish') return wait;
    return running.mode === 'redrive' ? redriveStep(wish, facts) : { kind: 'drain' };
  }
  if (running.asked === 'drain' || running.mode === 'finish') return wait;
  if (running.mode === 'redrive') return redriveStep(wish, facts);
  if (wish.version === running.version && wish.folder === running.folder && wish.workers !== running.workers)
    return { kind: 'resize' };
  if (isOther(wish, running)) {
    if (wish.version === running.version) return { kind: 'drain' };
    const checked = freshCheck(wish, facts);
    if (checked === undefined) return { kind: 'check' };
    if (checked.kind === 'able') return { kind: 'drain' };
    return paceStep(wish, running) ?? waitUntil(checked.retryAt);
  }
  return paceStep(wish, running) ?? wait;
}

/** Of a run for letters alone. */
function redriveStep(wish: Wish, facts: Facts): Step {
  const goesOn = facts.letters.wanted && (wish.desired === 'stopped' || hasEnded(wish, facts));
  return goesOn ? wait : { kind: 'drain' };
}

function idleStep(wish: Wish, facts: Facts): Step {
  const { current, finished } = facts;
  if (wish.desired === 'stopped') {
    if (facts.drainLeft && !wish.abandon && finished === undefined && current !== undefined)
      return tried(wish, facts) ?? { kind: 'finish', dropState: [] };
    if (takesLetters(wish, facts)) return tried(wish, facts) ?? { kind: 'redrive', inputHasEnded: false };
    return { kind: 'settle', state: 'stopped' };
  }
  if (wish.startCrashes >= MOST_START_CRASHES) return { kind: 'quarantine' };
  if (hasEnded(wish, facts))
    return takesLetters(wish, facts) ? { kind: 'redrive', inputHasEnded: true } : wait;
  if (wish.desired === 'paused' && facts.heldRevision === wish.revision)
    return { kind: 'settle', state: 'paused' };
  const waiting = tried(wish, facts);
  if (waiting !== undefined) return waiting;
  if (current === wish.version) return { kind: 'start' };
  const checked = freshCheck(wish, facts);
  if (checked === undefined) return { kind: 'check' };
  if (checked.kind === 'unable') return waitUntil(checked.retryAt);
  if (current === undefined) return { kind: 'activate' };
  const isLeft = finished !== undefined && wish.dropState.every((node) => finished.dropped.includes(node));
  return isLeft ? { kind: 'activate' } : { kind: 'finish', dropState: wish.dropState };
}

function hasEnded({ version, revision }: Wish, { last, current }: Facts): boolean {
  return last?.kind === 'ended' && last.revision === revision && current === version;
}

/** NS4. What was ended at once has more in flight than letters, which only a start goes on with. */
function takesLetters({ version, abandon, startCrashes }: Wish, { letters, current }: Facts): boolean {
  if (!(letters.wanted || letters.left) || current !== version) return false;
  return !abandon && startCrashes < MOST_START_CRASHES;
}

/** The pause after a failure; undefined when it is over or the wish is a new one. */
function tried(wish: Wish, { last, now }: Facts): Step | undefined {
  if (last?.kind !== 'failed' || last.revision !== wish.revision) return undefined;
  if (last.retryAt === undefined) return wait;
  return last.retryAt > now ? waitUntil(last.retryAt) : undefined;
}

function freshCheck(wish: Wish, { checked, now }: Facts): Checked | undefined {
  if (checked === undefined || checked.revision !== wish.revision) return undefined;
  const isOver = checked.kind === 'unable' && checked.retryAt !== undefined && checked.retryAt <= now;
  return isOver ? undefined : checked;
}

function paceStep(wish: Wish, running: Running): Step | undefined {
  const paused = wish.desired === 'paused';
  if (paused === running.paused) return undefined;
  return { kind: paused ? 'pause' : 'resume' };
}

function isOther(wish: Wish, { version, workers, folder }: Running): boolean {
  return wish.version !== version || wish.workers !== workers || wish.folder !== folder;
}

function waitUntil(until: number | undefined): Step {
  return until === undefined ? wait : { kind: 'wait', until };
}
