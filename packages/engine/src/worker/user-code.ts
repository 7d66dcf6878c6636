/** The module made of a pipeline's code, checked for shape: it comes from outside. */
import type { RunPlan } from '@millrace/graph';
import type { Computation } from '@millrace/sdk';

export type Expression = (value: unknown, record: unknown) => unknown;

export interface UserCode {
  computation(nodeId: string): Computation;
  keyBy(streamId: string): Expression | undefined;
  timestamp(nodeId: string): Expression | undefined;
  value(nodeId: string): ((n: number, time: number, random: () => number) => unknown) | undefined;
}

/** A node's code cannot be used; the message names the node. */
export class UserCodeError extends Error {
  readonly node: string;
  constructor(node: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.node = node;
  }
}

export function readUserCode(module: unknown, plan: RunPlan): UserCode {
  const exported = table(table(module).default);
  const nodes = table(exported.nodes);
  const keyBy = table(exported.keyBy);
  const timestamps = table(exported.timestamps);
  const values = table(exported.values);
  const names = new Map(plan.nodes.map((node) => [node.id, node.name]));
  return {
    computation(id) {
      const name = names.get(id) ?? id;
      const entry = table(own(nodes, id));
      if (entry.kind === 'failed')
        throw new UserCodeError(
          name,
          `the code of node "${name}" failed while loading: ${messageOf(entry.error)}`,
          entry.error,
        );
      const handlers = table(entry.handlers);
      if (entry.kind !== 'computation' || typeof handlers.processRecord !== 'function') {
        throw new UserCodeError(
          name,
          `the code of node "${name}" does not export a computation: write "export default computation({ processRecord … })"`,
        );
      }
      return entry as unknown as Computation;
    },
    keyBy: (id) => callable(own(keyBy, id)),
    timestamp: (id) => callable(own(timestamps, id)),
    value: (id) => callable(own(values, id)) as ReturnType<UserCode['value']>,
  };
}

export function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  try {
    return `${typeof error} ${typeof error === 'object' ? JSON.stringify(error) : String(error)} was thrown`;
  } catch {
    return `a ${typeof error} was thrown`;
  }
}

function table(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function own(of: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function callable(value: unknown): Expression | undefined {
  return typeof value === 'function' ? (value as Expression) : undefined;
}
