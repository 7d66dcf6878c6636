/**
 * Runs user code in a worker without permissions, one worker per bundle.
 * Rules U1 and U2: `conversation.ts`.
 */
import type { WorkerLauncher } from '@millrace/engine';
import { type Conversation, converse } from './conversation.ts';
import { stackMapper, withoutMap } from './map-stack.ts';
import type { Program, UserCode } from './user-code.ts';

export interface Limits {
  readonly answerMs: number;
  readonly memoryMb: number;
}

const defaults: Limits = { answerMs: 10_000, memoryMb: 512 };

/** `launcher` starts workers that run `user-code-worker.ts`. */
export function sandboxedUserCode(launcher: WorkerLauncher, limits: Limits = defaults): UserCode {
  let current: { readonly program: Program; readonly worker: Conversation } | undefined;

  const workerFor = async (program: Program): Promise<Conversation> => {
    if (current?.program === program && current.worker.alive) return current.worker;
    current?.worker.end();
    const process = await launcher.launch({ name: 'cases', memoryMb: limits.memoryMb });
    const worker = converse(process, limits.answerMs);
    current = { program, worker };
    await worker.ask({ kind: 'load', code: withoutMap(program.bundle), params: program.params });
    return worker;
  };

  return {
    async facts(program) {
      const { facts } = await (await workerFor(program)).ask({ kind: 'facts' });
      return new Map(facts);
    },
    async runCase(program, node, text) {
      const mapStack = stackMapper(program.bundle);
      try {
        const { differences } = await (await workerFor(program)).ask({ kind: 'case', node, text });
        return { differences: differences.map(mapStack) };
      } catch (error) {
        return { differences: [mapStack(error instanceof Error ? error.message : String(error))] };
      }
    },
    async close() {
      current?.worker.end();
      current = undefined;
    },
  };
}
