/**
 * Questions to a worker that runs user code, and its answers.
 *
 * U1 User code never runs in this process.
 * U2 A worker that does not answer in time, ends, or says something that is no answer is killed; the question
 *    fails with the reason, and the next one needs a new worker.
 */
import type { WorkerProcess } from '@millrace/engine';
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
        const tooLong = setTimeout(
          () => end(`The pipeline's code gave no answer in ${answerMs / 1_000} s.`),
          answerMs,
        );
        const wanted = question.kind === 'load' || question.kind === 'load-filter' ? 'loaded' : question.kind;
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
