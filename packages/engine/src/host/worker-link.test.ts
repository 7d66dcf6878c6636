import { encodeWorkerFrame, type WorkerFrame } from '@millrace/protocol';
import { expect, test } from 'vitest';
import type { WorkerProcess } from '../ports.ts';
import { WorkerLink, type WorkerLinkEvents } from './worker-link.ts';

function setUp() {
  const kills: string[] = [];
  const clock = { time: 0 };
  let receive: (bytes: Uint8Array) => void = () => undefined;
  const process: WorkerProcess = {
    pid: 1,
    queuedBytes: 0,
    send: () => undefined,
    onFrame: (handler) => {
      receive = handler;
    },
    onExit: () => undefined,
    kill: (reason) => kills.push(reason ?? ''),
  };
  const nothing = () => undefined;
  const killed = () => kills;
  const events: WorkerLinkEvents = {
    ready: nothing,
    bundle: nothing,
    status: nothing,
    drained: nothing,
    fetch: nothing,
    due: nothing,
    suspect: nothing,
    logs: nothing,
    effort: nothing,
    hotKeys: nothing,
    taps: nothing,
    failed: nothing,
    exit: nothing,
  };
  const link = new WorkerLink(0, 1, process, events, () => clock.time);
  const hear = (frame: WorkerFrame) => receive(encodeWorkerFrame(frame));
  const rest = { pending: false, waiting: 0, running: 0, wakeAt: undefined, nextWallTimer: undefined };
  const status = (throughSequence: number, bundlesSent = 0) =>
    hear({ kind: 'status', throughSequence, bundlesSent, ...rest });
  const bundle = (bundleNumber: number, throughSequence: number) =>
    hear({ kind: 'bundle', bundleNumber, throughSequence, watermarks: [], body: new Uint8Array(0) });
  hear({ kind: 'ready' });
  return { clock, link, hear, status, bundle, killed };
}

test('P8: a worker that is done with everything is not silent, however long nothing comes', () => {
  const { clock, link, status } = setUp();
  link.tick();
  status(1);
  clock.time = 60_000;
  expect(link.silentMs).toBe(0);
});

test('P8: a pause of the host is not a silence of its worker', () => {
  const { clock, link } = setUp();
  link.tick();
  clock.time = 60_000;
  link.excuse(59_000);
  expect(link.silentMs).toBe(1_000);
  link.excuse(59_000);
  expect(link.silentMs).toBe(0);
});

test('P8: a report that crossed newer input on its way does not excuse a worker that hangs in that input', () => {
  const { clock, link, status } = setUp();
  link.tick();
  link.tick();
  clock.time = 10;
  status(1);
  clock.time = 6_010;
  expect(link.silentMs).toBe(6_000);
});

test('DP3: a worker that waits for commits is not silent, and is again once it is told of one', () => {
  const { clock, link, status, bundle } = setUp();
  for (let i = 0; i < 3; i++) link.tick();
  bundle(1, 1);
  bundle(2, 2);
  status(2, 2);
  clock.time = 20_000;
  expect(link.silentMs).toBe(0);
  link.committed(1);
  clock.time = 26_000;
  expect(link.silentMs).toBe(6_000);
});

test('a worker that asked for state waits for the store, whatever else is sent to it meanwhile', () => {
  const { clock, link, hear } = setUp();
  link.tick();
  hear({ kind: 'fetch', request: 1, scans: [] });
  link.tick();
  link.watermarks(1, []);
  clock.time = 20_000;
  expect(link.silentMs).toBe(0);
  link.fetched(1, []);
  clock.time = 21_000;
  expect(link.silentMs).toBe(1_000);
});

test('WL4: samples come once for a bundle and right behind it; a tap asks for no sign of life', () => {
  const { clock, link, hear, status, bundle, killed } = setUp();
  link.tick();
  bundle(1, 1);
  const samples = (bundleNumber: number) => hear({ kind: 'taps', bundleNumber, samples: [] });
  samples(1);
  expect(killed()).toEqual([]);
  status(1, 1);
  link.committed(1);
  status(1, 1);
  link.tap(0, { recordsPerSecond: 1, charsPerSecond: 1 });
  clock.time = 60_000;
  expect(link.silentMs).toBe(0);
  samples(1);
  expect(killed()[0]).toContain('samples of bundle 1 behind bundle 1');
});
