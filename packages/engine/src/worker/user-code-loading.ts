/** A worker's code, from its text; and what the host is told of an error that ends the worker. */
import type { RunPlan } from '@millrace/graph';
import type { WorkerFrame } from '@millrace/protocol';
import { errorText } from './dead-letter.ts';
import { readUserCode, type UserCode, UserCodeError } from './user-code.ts';
import type { WorkerPorts } from './worker-ports.ts';

export async function loadUserCode(ports: WorkerPorts, source: string, plan: RunPlan): Promise<UserCode> {
  let module: unknown;
  try {
    module = await ports.loadModule(source);
  } catch (error) {
    throw new UserCodeError('', `the pipeline's code failed while loading: ${errorText(error).error}`, error);
  }
  return readUserCode(module, plan);
}

/** It names the node, where the fault is one of the user's code. */
export function failureOf(error: unknown): Extract<WorkerFrame, { kind: 'failed' }> {
  const { error: message, stack } = errorText(error);
  return {
    kind: 'failed',
    node: error instanceof UserCodeError ? error.node : '',
    message: error instanceof UserCodeError ? error.message : message,
    stack,
  };
}
