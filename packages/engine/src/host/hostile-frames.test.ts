/** Frames of a worker that its code has taken over: malformed ones, and ones out of their turn. */
import { encodeWorkerFrame, type WorkerFrame } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import {
  attack,
  bundle,
  failure,
  own,
  readyThen,
  type Script,
  sending,
  state,
  watchAttacks,
} from '../testing/hostile-attack.ts';
import { MemoryStore } from '../testing/memory-store.ts';

watchAttacks();

describe('frames that are none', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['an unknown kind', Uint8Array.of(99)],
    ['half a bundle', encodeWorkerFrame(bundle(state)).slice(0, 6)],
    ['two frames in one', Uint8Array.of(0, 0)],
    ['a body longer than the frame', Uint8Array.of(2, 1, 0, 0, 0xff, 0xff, 0x7f)],
    ['a million million watermarks', Uint8Array.of(2, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f)],
    ['scans without end', Uint8Array.of(4, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f)],
    ['a watermark at no time', Uint8Array.of(2, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0)],
    ['logs that are no lines', Uint8Array.of(6, 4, ...Buffer.from('null'), 0)],
  ])('%s: the pipeline ends, the worker and the fault are named, nothing is stored', async (_, bytes) => {
    const { run, store } = attack(sending(bytes));
    expect(await failure(run)).toMatch(/^worker 0 sent a frame that is not one: malformed bytes/);
    expect(store.log).toEqual([]);
  });

  it('halves of two frames, one after the other', async () => {
    const [a, b] = [encodeWorkerFrame(bundle(state)), encodeWorkerFrame(bundle(state))];
    const { run, store } = attack(
      sending(Buffer.concat([a.subarray(0, 9), b.subarray(9), b.subarray(0, 5)])),
    );
    expect(await failure(run)).toContain('worker 0 sent a frame that is not one');
    expect(store.log).toEqual([]);
  });
});

describe('frames out of place (WL1–WL3)', () => {
  const early = (frame: WorkerFrame): Script => {
    return (worker, heard) => {
      if (heard.kind === 'configure') worker.say(frame);
    };
  };
  const idle = { throughSequence: 0, pending: false, waiting: 0, running: 0 } as const;
  const status = {
    kind: 'status',
    ...idle,
    bundlesSent: 0,
    wakeAt: undefined,
    nextWallTimer: undefined,
  } as const;

  it.each<[string, Script, string]>([
    ['a bundle before it is ready', early(bundle(state)), 'bundle before it is ready'],
    [
      'signs of life before it is ready',
      early({ kind: 'progress', input: '' }),
      'progress before it is ready',
    ],
    ['a status before it is ready', early(status), 'status before it is ready'],
    ['ready twice', sending({ kind: 'ready' }), 'ready twice'],
    [
      'a question about input that nobody suspects',
      sending({ kind: 'suspect', number: 1, node: 1, prefix: own, watermark: { kind: 'not-yet' } }),
      'it holds input that nobody suspects',
    ],
    ['a trial it was not given', sending({ kind: 'tried', number: 1, spent: false }), 'nothing on trial'],
    ['bundle 2 first', sending(bundle(state, { bundleNumber: 2 })), 'bundle 2 after bundle 0'],
    ['bundle 1 twice', sending(bundle(state), bundle(state)), 'bundle 1 after bundle 1'],
    [
      'more done than it was sent',
      sending(bundle(state, { throughSequence: 99 })),
      'input 99 is called finished',
    ],
    ['bundles it never sent', sending({ ...status, bundlesSent: 7 }), '7 bundles are called sent'],
    [
      'a second question before the first is answered',
      readyThen((worker) => {
        // An answer is not sent to one who does not read.
        worker.queuedBytes = 64 << 20;
        for (const request of [1, 2]) worker.say({ kind: 'fetch', request, scans: [] });
      }),
      'fetch 2 before fetch 1 is answered',
    ],
  ])('%s', async (_, script, reason) => {
    const { run } = attack(script);
    const error = await failure(run);
    expect(error).toMatch(/^worker 0 sent a frame that is not one: /);
    expect(error).toContain(reason);
  });

  it('WL2: bundles without waiting for a commit', async () => {
    const store = new MemoryStore();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    // By the time it is let go, what came with the first bundle has been looked at.
    store.beforeCommit = () => {
      setTimeout(release, 50);
      return gate;
    };
    const { run } = attack(sending(...[1, 2, 3].map((bundleNumber) => bundle(state, { bundleNumber }))), {
      store,
    });
    expect(await failure(run)).toContain('bundle 3 before bundle 1 is committed');
    expect(store.log.length).toBeLessThanOrEqual(2);
  });
});
