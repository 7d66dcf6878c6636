/** Entry of the child process: one job, then the end. The parent holds clock and memory limit. */
import { type ChildMessage, type Job, runJob } from './job.ts';

function send(message: ChildMessage, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

process.once('message', (job) => {
  send({ kind: 'started' });
  runJob(job as Job, (path) => send({ kind: 'progress', path })).then(
    (result) => send({ kind: 'done', result }, () => process.exit(0)),
    (error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      send({ kind: 'failed', message }, () => process.exit(1));
    },
  );
});
