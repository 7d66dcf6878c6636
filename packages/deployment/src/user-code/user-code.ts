/**
 * What the command line asks of user code. The code itself never runs in this process: the implementation
 * hands the bundle to a worker without permissions.
 */

/** What a deploy must know of a node's code before it may take over the state of the last version (Y2). */
export interface NodeFacts {
  readonly stateless: boolean;
  readonly stateVersion: number;
  /** Of operators: the settings that shape their state. */
  readonly stateShape: string | undefined;
  /** It has `migrateState`. */
  readonly migrates: boolean;
}

export interface CaseOutcome {
  /** What came out otherwise than expected, a line each; empty when the case holds. */
  readonly differences: readonly string[];
}

/** A code bundle and the parameters its nodes see. */
export interface Program {
  readonly bundle: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface UserCode {
  /** Facts by node id. A node whose module throws when it is loaded is left out. */
  facts(program: Program): Promise<ReadonlyMap<string, NodeFacts>>;
  /** Runs one recorded case (the text of its file) against a node. */
  runCase(program: Program, node: string, text: string): Promise<CaseOutcome>;
  close(): Promise<void>;
}
