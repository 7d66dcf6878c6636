import type { SourceChunk } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../test/posted.ts';
import { type Post, RequestPartition } from './request-partition.ts';

const post = (id: string): Post => ({
  id,
  format: 'json',
  time: 0,
  remember: undefined,
  resume: undefined,
  bytes: new Uint8Array(1),
});

function reader(partition: RequestPartition, offset: number) {
  const stop = new AbortController();
  const chunks = partition.read(offset, stop.signal)[Symbol.asyncIterator]();
  return {
    async next(): Promise<SourceChunk | undefined> {
      const { value, done } = await chunks.next();
      return done === true ? undefined : value;
    },
    stop: () => stop.abort(),
  };
}

describe('RequestPartition', () => {
  it('RP1: hands over anew what a lost worker had and did not commit, under the same numbers', async () => {
    const partition = new RequestPartition(() => 0);
    const outcomes = ['a', 'b', 'c'].map((id) => partition.add(post(id)));
    const first = reader(partition, 7);
    expect([await first.next(), await first.next()]).toMatchObject([
      { number: 7, id: 'a' },
      { number: 8, id: 'b' },
    ]);
    partition.committed(8, [accepted(1)]);
    expect(await outcomes[0]).toEqual({ kind: 'answered', answer: accepted(1) });
    first.stop();
    const second = reader(partition, 8);
    expect([await second.next(), await second.next()]).toMatchObject([
      { number: 8, id: 'b' },
      { number: 9, id: 'c' },
    ]);
    partition.committed(10, [accepted(2), accepted(3)]);
    expect(await outcomes[2]).toEqual({ kind: 'answered', answer: accepted(3) });
    second.stop();
  });

  it('RP2: gives up on what waits too long only where it was not handed over', async () => {
    let now = 0;
    const partition = new RequestPartition(() => now);
    const [a, b] = [partition.add(post('a')), partition.add(post('b'))];
    const reading = reader(partition, 0);
    await reading.next();
    now = 100;
    partition.withdraw(50);
    expect(await b).toEqual({ kind: 'unavailable', begun: false });
    partition.committed(1, [accepted(1)]);
    expect(await a).toMatchObject({ kind: 'answered' });
    reading.stop();
  });

  it('W6: says once that there is nothing to read, after a lull', async () => {
    const partition = new RequestPartition(() => 0);
    const reading = reader(partition, 0);
    expect(await reading.next()).toEqual({ kind: 'idle' });
    const next = reading.next();
    void partition.add(post('a'));
    expect(await next).toMatchObject({ kind: 'request' });
    reading.stop();
    partition.close();
  });

  it('tells those who wait when it is paused or closed whether their records may be in', async () => {
    const partition = new RequestPartition(() => 0);
    const [a, b] = [partition.add(post('a')), partition.add(post('b'))];
    const reading = reader(partition, 0);
    await reading.next();
    partition.held(true);
    expect(await b).toEqual({ kind: 'unavailable', begun: false });
    expect(await partition.add(post('c'))).toEqual({ kind: 'unavailable', begun: false });
    partition.close();
    expect(await a).toEqual({ kind: 'unavailable', begun: true });
    reading.stop();
  });

  it('H5: settles no more than it handed over, whatever a worker says is committed', async () => {
    const partition = new RequestPartition(() => 0);
    const [a, b] = [partition.add(post('a')), partition.add(post('b'))];
    const reading = reader(partition, 0);
    await reading.next();
    partition.committed(1_000_000, []);
    expect(await a).toEqual({ kind: 'unavailable', begun: true });
    partition.close();
    expect(await b).toEqual({ kind: 'unavailable', begun: false });
    reading.stop();
  });
});
