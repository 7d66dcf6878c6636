/** Entry of the child process: one job, then the end. The parent holds clock and memory limit. */
import { type ChildMessage, type Job, loadFor } from './job.ts';

function send(message: ChildMessage, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

async function run(job: Job) {
  const start = await loadFor(job);
  send({ kind: 'started' });
  return start((path) => send({ kind: 'progress', path }));
}

process.once('message', (job) => {
  run(job as Job).then(
    (result) => send({ kind: 'done', result }, () => process.exit(0)),
    (error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      send({ kind: 'failed', message }, () => process.exit(1));
    },
  );
});
