import { expect, test } from 'vitest';
import { compileQueue } from './compile-queue.ts';

/** Jobs that end when the test says so. */
function jobs() {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const job = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      started.push(name);
      ends.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  return { started, job, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('so many run, the others wait their turn, and one that fails gives its place on', async () => {
  const { started, job, end } = jobs();
  const queue = compileQueue({ running: 1, waiting: 5, each: 9 });
  const first = queue.run('a', job('one'));
  const others = [queue.run('a', job('two')), queue.run('b', job('three'))];
  await turn();
  expect(started).toEqual(['one']);
  end('one', new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await turn();
  expect(started).toEqual(['one', 'two']);
  end('two');
  await turn();
  end('three');
  expect(await Promise.all(others)).toMatchObject([{ result: 'two' }, { result: 'three' }]);
});

test('one account has its share, and a full queue says when to come again', async () => {
  const { job, end } = jobs();
  const queue = compileQueue({ running: 1, waiting: 1, each: 1 });
  const first = queue.run('a', job('one'));
  expect(await queue.run('a', job('again'))).toMatchObject({ kind: 'busy' });
  const second = queue.run('b', job('two'));
  expect(await queue.run('c', job('three'))).toMatchObject({ kind: 'busy', retryAfterSeconds: 6 });
  end('one');
  await first;
  await turn();
  end('two');
  await second;
  const later = queue.run('a', job('later'));
  await turn();
  end('later');
  expect(await later).toMatchObject({ kind: 'done' });
});
