/** Times small commits from a process of their own (commit-probe.ts) while something else runs. */
import { fork } from 'node:child_process';
import { builtFile } from '../run/built-file.ts';
import type { Workshop } from '../run/workshop.ts';

export interface BesideCommits<T> {
  readonly result: T;
  /** Of each commit since `reset` was last called. */
  readonly milliseconds: readonly number[];
}

export async function besideCommits<T>(
  { address }: Pick<Workshop, 'address'>,
  run: (reset: () => void) => Promise<T>,
): Promise<BesideCommits<T>> {
  const child = fork(builtFile('peers/commit-probe.js'), [], {
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the commit probe ended with code ${code}`)));
  });
  // It is raced below; an end when nothing is awaited is no news.
  ended.catch(() => undefined);
  const answer = (): Promise<unknown> =>
    Promise.race([ended, new Promise((resolve) => child.once('message', resolve))]);
  try {
    const ready = answer();
    child.send(address);
    await ready;
    const result = await run(() => child.send('reset'));
    const milliseconds = answer();
    child.send('stop');
    return { result, milliseconds: (await milliseconds) as number[] };
  } finally {
    child.kill();
  }
}
