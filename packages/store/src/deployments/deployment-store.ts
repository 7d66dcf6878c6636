/**
 * What should run and what does. The server writes wishes, the engine host writes what it sees; each write names
 * who makes it and is refused when it is no longer theirs to make.
 *
 * DS1 A deploy is one row of wish and one row of history, in one transaction.
 * DS2 An observation of a host that another has followed is refused (`fenced`).
 */
import type { DesiredState, Observation, ObservedState } from '@millrace/protocol/control';
import type { Connections } from '../sql/connections.ts';
import type { Sql } from '../sql/database.ts';
import { readDeployments } from './deployment-rows.ts';
import { deploy, deployHistory, setDesired, setWorkers } from './desired.ts';
import { claimDeployments, forgetHosts, observe } from './observed.ts';

export interface Deployment {
  readonly pipeline: string;
  readonly workspace: string;
  readonly version: number;
  readonly desired: DesiredState;
  /** Of a stop: end at once instead of finishing what is in flight. */
  readonly abandon: boolean;
  readonly workers: number;
  /** The version the agreed plan was made against. */
  readonly plannedFrom: number | undefined;
  /** Nodes whose state may go when `version` follows `plannedFrom`. */
  readonly dropState: readonly string[];
  /** Root of relative paths; undefined: the workspace's own folder. */
  readonly folder: string | undefined;
  readonly revision: number;
  /** Wall times in ms. */
  readonly changedAt: number;
  readonly observed: ObservedState;
  readonly reason: string | undefined;
  readonly observedVersion: number | undefined;
  /** The revision the observation follows: below `revision` while a wish has not been acted on. */
  readonly observedRevision: number;
  readonly observedAt: number;
  readonly retryAt: number | undefined;
  readonly startedAt: number | undefined;
  /** Engine hosts that ended while it was starting, in a row. */
  readonly startCrashes: number;
}

export interface DeployRequest {
  readonly pipeline: string;
  readonly workspace: string;
  readonly version: number;
  readonly desired: DesiredState;
  readonly workers: number;
  readonly plannedFrom: number | undefined;
  readonly dropState: readonly string[];
  readonly folder: string | undefined;
  readonly actor: string;
  readonly message: string;
  /** Refused when the deployment has another revision; 0 when there must be none yet. */
  readonly ifRevision?: number | undefined;
  /** What belongs into the same transaction. */
  readonly alongside?: (sql: Sql) => Promise<void>;
}

export interface SetDesired {
  readonly desired: DesiredState;
  readonly abandon?: boolean;
  readonly ifRevision?: number | undefined;
  /** What belongs into the same transaction. */
  readonly alongside?: (sql: Sql) => Promise<void>;
}

export interface SetWorkers {
  readonly workers: number;
  readonly ifRevision?: number | undefined;
  /** What belongs into the same transaction. */
  readonly alongside?: (sql: Sql) => Promise<void>;
}

/** One entry of the history, newest first. */
export interface Deploy {
  readonly number: number;
  readonly version: number;
  readonly previous: number | undefined;
  readonly actor: string;
  readonly message: string;
  readonly dropped: readonly string[];
  readonly deployedAt: number;
}

/** With its start a pid names one process of one machine for ever. */
export interface HostIdentity {
  readonly pid: number;
  readonly hostName: string;
  readonly processStarted: string;
}

export interface HostClaim {
  readonly host: number;
  readonly deployments: readonly Deployment[];
  /** Hosts that were never seen to end. */
  readonly older: readonly (HostIdentity & { readonly number: number })[];
}

export interface DeploymentStore {
  get(pipeline: string): Promise<Deployment | undefined>;
  list(workspace: string): Promise<readonly Deployment[]>;
  all(): Promise<readonly Deployment[]>;
  deploy(request: DeployRequest): Promise<Deployment | 'changed'>;
  setDesired(pipeline: string, wish: SetDesired): Promise<Deployment | 'absent' | 'changed'>;
  setWorkers(pipeline: string, wish: SetWorkers): Promise<Deployment | 'absent' | 'changed'>;
  /** Pauses everything that should run; the pipelines it changed. */
  pauseAll(): Promise<readonly string[]>;
  history(pipeline: string, page: { before?: number; limit: number }): Promise<readonly Deploy[]>;
  /** Takes the wish and its history away; versions and state stay. */
  remove(pipeline: string): Promise<void>;
  /** Everything is this host's from here on. */
  claim(identity: HostIdentity): Promise<HostClaim>;
  forgetHosts(numbers: readonly number[]): Promise<void>;
  observe(host: number, observation: Observation): Promise<'kept' | 'fenced'>;
}

export function deploymentStore(connections: Connections): DeploymentStore {
  return {
    ...readDeployments(connections),
    deploy: (request) => deploy(connections, request),
    setDesired: (pipeline, wish) => setDesired(connections, pipeline, wish),
    setWorkers: (pipeline, wish) => setWorkers(connections, pipeline, wish),
    history: (pipeline, page) => deployHistory(connections, pipeline, page),
    claim: (identity) => claimDeployments(connections, identity),
    forgetHosts: (numbers) => forgetHosts(connections, numbers),
    observe: (host, observation) => observe(connections, host, observation),
  };
}
