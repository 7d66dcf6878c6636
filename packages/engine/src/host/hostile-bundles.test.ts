/** What a worker that its code has taken over writes, and asks for, that is not its own. */
import { type BundleBodyWriter, dueSpaceOf, META_SPACE, metaKeys, spaceOf } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import {
  A,
  attack,
  bodyOf,
  bundle,
  bytesOf,
  failure,
  foreign,
  IN,
  one,
  own,
  readyThen,
  record,
  row,
  type Script,
  sending,
  storing,
  text,
  toSink,
  watchAttacks,
} from '../testing/hostile-attack.ts';
import type { HostileWorker } from '../testing/hostile-workers.ts';

watchAttacks();

describe('bundles that touch what is not theirs', () => {
  const letter = {
    id: 'i',
    node: 'n_a',
    input: '',
    error: '',
    stack: '',
    origin: '',
    version: 1,
    attempts: 1,
  };
  it.each<[string, (body: BundleBodyWriter) => void, string]>([
    ['a key of another worker', (b) => b.put(spaceOf(A, 'state'), foreign, one), 'does not own'],
    ['removal of such a key', (b) => b.remove(spaceOf(A, 'parked'), foreign), 'does not own'],
    ['a key without a hash', (b) => b.put(spaceOf(A, 'state'), one, one), 'without a hash'],
    ['the space of an injector', (b) => b.put(spaceOf(IN, 'state'), own, one), 'not one of this pipeline'],
    ['a space of no node', (b) => b.put(9_999, own, one), 'not one of this pipeline'],
    ['counters of another slot', (b) => b.put(META_SPACE, metaKeys.counters(1, A), one), 'not this worker'],
    [
      'counters under a longer key',
      (b) => b.put(META_SPACE, Buffer.from('counters/0/2/x'), one),
      'not this worker',
    ],
    ['delivered of another slot', (b) => b.put(META_SPACE, metaKeys.delivered(1), one), 'not this worker'],
    ['the number of workers', (b) => b.put(META_SPACE, metaKeys.workers(), one), 'not this worker'],
    ['the number of a node', (b) => b.put(META_SPACE, metaKeys.nodeNumber('n_a'), one), 'not this worker'],
    ['a source it was not given', (b) => b.put(META_SPACE, metaKeys.source(IN, 'x'), one), 'not this worker'],
    [
      'a source mark that is none',
      (b) => b.put(META_SPACE, metaKeys.source(IN, 'lines-0'), one),
      'malformed',
    ],
    [
      'counters that are none',
      (b) => b.put(META_SPACE, metaKeys.counters(0, A), Uint8Array.of(0x80)),
      'malformed',
    ],
    [
      'a delivery it was never handed',
      (b) =>
        b.put(
          META_SPACE,
          metaKeys.delivered(0),
          bytesOf((w) => w.f64(5)),
        ),
      'cannot be',
    ],
    [
      'deliveries through no position',
      (b) =>
        b.put(
          META_SPACE,
          metaKeys.delivered(0),
          bytesOf((w) => w.f64(Number.NaN)),
        ),
      'cannot be',
    ],
    [
      'a batch for no node',
      (b) => b.batch({ node: 9, stream: 0, slot: 0, count: 1, bytes: record }),
      'a batch for',
    ],
    [
      'a batch for no slot',
      (b) => b.batch({ node: 1, stream: 0, slot: 9, count: 1, bytes: record }),
      'slot 9 of 2',
    ],
    [
      'more records than bytes',
      (b) => b.batch({ node: 1, stream: 0, slot: 1, count: 2 ** 40, bytes: record }),
      'a batch of 1099511627776 records',
    ],
    ['more rows than bytes', (b) => b.batch({ ...toSink, count: 2 ** 32, bytes: row('{}') }), 'a batch of'],
    ['a row more than there is', (b) => b.batch({ ...toSink, count: 2, bytes: row('{}') }), 'malformed'],
    ['a row that is no JSON', (b) => b.batch({ ...toSink, count: 1, bytes: row('1],[2') }), 'no JSON object'],
    ['a row of two lines', (b) => b.batch({ ...toSink, count: 1, bytes: row('{}\n{}') }), 'breaks its line'],
    ['a row at no time', (b) => b.batch({ ...toSink, count: 1, bytes: row('{}', Number.NaN) }), 'at no time'],
    ['a line that is no JSON', (b) => b.batch({ ...toSink, count: 1, bytes: text('1\n') }), 'no JSON object'],
    ['a line without an end', (b) => b.batch({ ...toSink, count: 2, bytes: text('{}\n{}') }), 'has no end'],
    [
      'a line too many',
      (b) => b.batch({ ...toSink, count: 1, bytes: text('{}\n{}\n') }),
      '2 lines and not 1',
    ],
    [
      'a dead letter that is none',
      (b) => b.deadLetter(`{"id":"${'x'.repeat(40)}"}`),
      'a dead letter without',
    ],
    [
      'a dead letter of a node elsewhere',
      (b) => b.deadLetter(JSON.stringify({ ...letter, node: 'n_b' })),
      'no node of this pipeline',
    ],
  ])('%s', async (_, write, reason) => {
    const { run, store, connectors } = attack(storing(write), { workers: 2 });
    const error = await failure(run);
    expect(error).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(error).toContain(reason);
    expect(store.log).toEqual([]);
    expect(store.letters.size).toBe(0);
    expect(connectors.sinks.get('n_out')?.rows).toEqual([]);
  });

  it('a dead letter of 60 MB is the pipeline’s own and is stored; one that fits no frame of a receiver is not', async () => {
    const input = 'x'.repeat(60 << 20);
    const { run, store } = attack(storing((b) => b.deadLetter(JSON.stringify({ ...letter, input }))));
    await expect.poll(() => store.letters.size, { timeout: 8_000 }).toBe(1);
    run.abort();
    await run.finished;
    expect(store.letters.get('i')?.input.length).toBe(60 << 20);
    const huge = attack(sending(bundle(new Uint8Array((64 << 20) - 64))));
    expect(await failure(huge.run)).toContain('worker 0 sent a frame that is not one: a bundle of');
  });
});

describe('questions', () => {
  const asking = (space: number, prefix: Uint8Array, limit = 1e15): Script =>
    sending({ kind: 'fetch', request: 1, scans: [{ space, prefix, limit }] });
  const askingDue = (space: number, limit: number): Script =>
    sending({ kind: 'due', request: 1, scan: { space, from: Uint8Array.of(0), limit } });

  it.each<[string, Script]>([
    ['for the host’s own marks', asking(META_SPACE, Buffer.from('source/'))],
    ['for all of a space', asking(spaceOf(A, 'state'), new Uint8Array(0))],
    ['for keys of another worker', asking(spaceOf(A, 'state'), foreign)],
    ['for timers, which it was given', asking(spaceOf(A, 'timers'), own)],
    ['for a space of no node', asking(404, own)],
    ['for far timers where none lie', askingDue(spaceOf(A, 'state'), 1)],
    ['for more far timers than an answer holds', askingDue(dueSpaceOf(A), 1e6)],
  ])('%s are refused', async (_, script) => {
    const { run, launcher } = attack(script, { workers: 2 });
    expect(await failure(run)).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(launcher.workers.flatMap(({ heard }) => heard).some(({ kind }) => kind === 'fetched')).toBe(false);
  });

  it('whose answer fits no frame end the pipeline and not the host', async () => {
    const big = new Uint8Array(25 << 20);
    const script: Script = (worker, frame) => {
      if (frame.kind === 'restore' && frame.last) {
        worker.say({ kind: 'ready' });
        worker.say(bundle(bodyOf((b) => b.put(spaceOf(A, 'state'), own, big))));
      }
      const scan = { space: spaceOf(A, 'state'), prefix: own, limit: 1e15 };
      if (frame.kind === 'committed') worker.say({ kind: 'fetch', request: 1, scans: [scan, scan, scan] });
    };
    expect(await failure(attack(script).run)).toContain('more of its state at once');
  });

  it('of a worker that does not read are answered only once it does', async () => {
    const { run, launcher } = attack(
      readyThen((worker) => {
        worker.queuedBytes = 64 << 20;
        worker.say({ kind: 'fetch', request: 1, scans: [] });
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    const heard = () => launcher.workers[0]?.heard.filter(({ kind }) => kind === 'fetched').length;
    expect(heard()).toBe(0);
    (launcher.workers[0] as HostileWorker).queuedBytes = 0;
    await expect.poll(heard).toBe(1);
    run.abort();
  });
});
