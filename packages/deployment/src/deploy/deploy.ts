/**
 * Makes a stored version the one that runs, with the state that goes with it.
 *
 * Y1 Where state would go and nobody agreed, nothing is touched.
 * Y6 The old version finishes what is in flight, then one transaction activates the new one. Killed anywhere in
 *    between, the old version is still the current one and the next start deploys again.
 * DE1 A version that cannot read its sources does not become the current one, and nothing is given up for it: it
 *    could not finish what is in flight either, so that no deploy could leave it.
 * DE2 A version before which nothing was ever committed has nothing in flight and no state: it is left at once.
 *
 * Not handled: what the plan says (`plan-deploy.ts`), and running a version (`../run/run-session.ts`).
 */
import type { PipelineStore, StoredVersion } from '@millrace/engine';
import type { DeployPlan } from './deploy-decision.ts';

export interface Deploy {
  readonly pipeline: Pick<PipelineStore, 'claimHost' | 'lastPosition' | 'reset'> & {
    readonly versions: Pick<PipelineStore['versions'], 'current' | 'activate'>;
  };
  /** The version to make current. */
  readonly number: number;
  readonly fresh: boolean;
  readonly dropState: boolean;
  plan(old: StoredVersion): Promise<DeployPlan>;
  /** Called once with the plan, before anything happens. */
  show(plan: DeployPlan): void;
  /** Runs the old version until nothing is in flight, then drops the state of these nodes. */
  drain(old: StoredVersion, losing: readonly string[]): Promise<{ readonly error?: string | undefined }>;
  /** Why the new version cannot read its sources; undefined when it can. */
  trouble(): Promise<string | undefined>;
  /** True once somebody asked to stop. */
  stopping(): boolean;
}

export type DeployOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'state-would-go'; readonly plan: DeployPlan }
  | { readonly kind: 'failed'; readonly error: string };

const ready: DeployOutcome = { kind: 'ready' };

export async function deploy(what: Deploy): Promise<DeployOutcome> {
  const { pipeline, number, fresh } = what;
  const current = await pipeline.versions.current();
  if (current?.number === number && !fresh) return ready;
  const trouble = await what.trouble();
  if (trouble !== undefined) return { kind: 'failed', error: trouble };
  if (fresh) {
    await pipeline.reset(await pipeline.claimHost());
    return activate(pipeline, number);
  }
  if (current !== undefined && (await pipeline.lastPosition()) > 0) {
    const ended = await leave(current, what);
    if (ended !== undefined) return ended;
  }
  return activate(pipeline, number);
}

/** Undefined when the old version has been left in order. */
async function leave(current: StoredVersion, what: Deploy): Promise<DeployOutcome | undefined> {
  const plan = await what.plan(current);
  what.show(plan);
  if (plan.losing.length > 0 && !what.dropState) return { kind: 'state-would-go', plan };
  const { error } = await what.drain(current, plan.losing);
  // A drain that was cut short has left something in flight: the new version must not get it.
  if (what.stopping()) return { kind: 'stopped' };
  if (error === undefined) return undefined;
  return {
    kind: 'failed',
    error: `Version ${current.number}, which ran before, could not finish what was in flight: ${error} Put that right for the old version and run again, or start anew, without what is stored, with --fresh.`,
  };
}

async function activate(pipeline: Deploy['pipeline'], number: number): Promise<DeployOutcome> {
  const outcome = await pipeline.versions.activate(await pipeline.claimHost(), number);
  if (outcome === 'committed') return ready;
  return { kind: 'failed', error: 'Another host took this pipeline over meanwhile: stop one of the two.' };
}
