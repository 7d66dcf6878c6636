/**
 * Runs user code in a worker without permissions, one worker per bundle.
 *
 * U1 User code never runs in this process.
 * U2 A worker that does not answer in time, ends, or says something that is no answer is killed; the question
 *    fails with the reason, and the next one gets a new worker.
 */
import type { WorkerLauncher, WorkerProcess } from '@millrace/engine';
import { stackMapper, withoutMap } from './map-stack.ts';
import { encodeMessage, type Reply, type ReplyOf, type Request, readReply } from './messages.ts';
import type { Program, UserCode } from './user-code.ts';

export interface Limits {
  readonly answerMs: number;
  readonly memoryMb: number;
}

const defaults: Limits = { answerMs: 10_000, memoryMb: 512 };

/** `launcher` starts workers that run `user-code-worker.ts`. */
export function sandboxedUserCode(launcher: WorkerLauncher, limits: Limits = defaults): UserCode {
  let current: { readonly program: Program; readonly worker: Worker } | undefined;

  const workerFor = async (program: Program): Promise<Worker> => {
    if (current?.program === program && current.worker.alive) return current.worker;
    current?.worker.end();
    const process = await launcher.launch({ name: 'cases', memoryMb: limits.memoryMb });
    const worker = talkTo(process, limits.answerMs);
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

type Question = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;

interface Worker {
  readonly alive: boolean;
  ask<Q extends Question>(question: Q): Promise<ReplyOf<Q['kind']>>;
  end(): void;
}

interface Waiting {
  readonly id: number;
  settle(reply: Reply | Error): void;
}

function talkTo(process: WorkerProcess, answerMs: number): Worker {
  let alive = true;
  let asked = 0;
  let waiting: Waiting | undefined;

  const end = (reason: string) => {
    if (alive) process.kill(reason);
    alive = false;
    waiting?.settle(new Error(reason));
  };
  process.onFrame((frame) => {
    const reply = readReply(frame);
    if (reply !== undefined && reply.id === waiting?.id) waiting.settle(reply);
    else end('The worker said something that is no answer; it was ended.');
  });
  process.onExit((exit) => {
    alive = false;
    const why = exit.reason ?? exit.signal ?? `exit code ${exit.code}`;
    waiting?.settle(new Error(`The worker that runs the pipeline's code ended: ${why}.`));
  });

  return {
    get alive() {
      return alive;
    },
    ask<Q extends Question>(question: Q) {
      asked += 1;
      const id = asked;
      return new Promise<ReplyOf<Q['kind']>>((resolve, reject) => {
        const tooLong = setTimeout(
          () => end(`The pipeline's code gave no answer in ${answerMs / 1_000} s.`),
          answerMs,
        );
        const wanted = question.kind === 'load' ? 'loaded' : question.kind;
        waiting = {
          id,
          settle(reply) {
            clearTimeout(tooLong);
            waiting = undefined;
            if (reply instanceof Error) reject(reply);
            else if (reply.kind === wanted) resolve(reply as ReplyOf<Q['kind']>);
            else reject(new Error(reply.kind === 'failed' ? reply.error : 'The worker gave another answer.'));
          },
        };
        process.send(encodeMessage({ ...question, id }));
      });
    },
    end: () => end('The question was withdrawn.'),
  };
}
