/**
 * Questions to a worker that runs user code, and its answers.
 *
 * U1 User code never runs in this process.
 * U2 A worker that does not answer in time, ends, or says something that is no answer is killed; the question
 *    fails with the reason, and the next one needs a new worker.
 */
import { judgeSilence, type WorkerProcess } from '@millrace/engine';
import { encodeMessage, type Reply, type ReplyOf, type Request, readReply } from './messages.ts';

type Question = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;

export interface Conversation {
  readonly alive: boolean;
  /** `answerMs`: instead of the conversation's own. */
  ask<Q extends Question>(question: Q, answerMs?: number): Promise<ReplyOf<Q['kind']>>;
  end(): void;
}

interface Waiting {
  readonly id: number;
  settle(reply: Reply | Error): void;
}

/** However little processor time a worker is given, nobody waits longer than so many times the limit. */
const PATIENCE = 6;
const LEAST_WAIT_MS = 20;

/** Calls `over` once the worker has computed for so long, or is not going to be waited for. */
function limitAnswer(process: WorkerProcess, answerMs: number, over: () => void): () => void {
  const began = performance.now();
  const spentBefore = process.processorMs?.();
  const limits = { ownMs: answerMs, wallMs: answerMs * PATIENCE };
  const look = (): void => {
    const spent = process.processorMs?.();
    const ownMs = spent === undefined || spentBefore === undefined ? undefined : spent - spentBefore;
    if (judgeSilence({ wallMs: performance.now() - began, ownMs }, limits) !== 'patience') over();
    else timer = setTimeout(look, Math.max(LEAST_WAIT_MS, answerMs - (ownMs ?? 0)));
  };
  let timer = setTimeout(look, answerMs + 1);
  return () => clearTimeout(timer);
}

/** One question at a time. */
export function converse(process: WorkerProcess, usualMs: number): Conversation {
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
    ask<Q extends Question>(question: Q, answerMs = usualMs) {
      asked += 1;
      const id = asked;
      return new Promise<ReplyOf<Q['kind']>>((resolve, reject) => {
        const withdraw = limitAnswer(process, answerMs, () =>
          end(`The pipeline's code gave no answer in ${answerMs / 1_000} s.`),
        );
        const wanted = question.kind === 'load' || question.kind === 'load-filter' ? 'loaded' : question.kind;
        waiting = {
          id,
          settle(reply) {
            withdraw();
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
