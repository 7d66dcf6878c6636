/**
 * One worker that runs cases against code that changes while somebody writes it. It is kept from text to text, since
 * to start one takes longer than to run a case; what code may have left behind in it goes with it after a while.
 */
import type { WorkerLauncher } from '@millrace/engine';
import { type Conversation, converse } from './conversation.ts';
import { stackMapper, withoutMap } from './map-stack.ts';
import type { Program } from './user-code.ts';

export interface TriedCode {
  /** JSON text of a `CaseReport` that nobody has looked at. Throws with the reason where the worker gave none. */
  trace(program: Program, node: string, text: string): Promise<string>;
  close(): void;
}

export interface TriedLimits {
  readonly answerMs: number;
  readonly startMs: number;
  readonly memoryMb: number;
}

const LIMITS: TriedLimits = { answerMs: 2_000, startMs: 10_000, memoryMb: 256 };
const MOST_LOADS = 50;

export function triedCode(launcher: WorkerLauncher, limits: TriedLimits = LIMITS): TriedCode {
  let current: { worker: Conversation; program: Program | undefined; loads: number } | undefined;
  let closed = false;

  const workerFor = async (program: Program): Promise<Conversation> => {
    if (current !== undefined && (!current.worker.alive || current.loads >= MOST_LOADS)) {
      current.worker.end();
      current = undefined;
    }
    if (current === undefined) {
      const process = await launcher.launch({ name: 'try', memoryMb: limits.memoryMb });
      current = { worker: converse(process, limits.answerMs), program: undefined, loads: 0 };
      if (closed) current.worker.end();
    }
    const { worker } = current;
    if (current.program !== program) {
      current.program = undefined;
      current.loads += 1;
      const code = withoutMap(program.bundle);
      await worker.ask({ kind: 'load', code, params: program.params }, limits.startMs);
      current.program = program;
    }
    return worker;
  };

  return {
    async trace(program, node, text) {
      const mapStack = stackMapper(program.bundle);
      try {
        const worker = await workerFor(program);
        const { report } = await worker.ask({ kind: 'trace', node, text });
        return report;
      } catch (error) {
        throw new Error(mapStack(error instanceof Error ? error.message : String(error)));
      }
    },
    close() {
      closed = true;
      current?.worker.end();
    },
  };
}
