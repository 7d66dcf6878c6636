import { encodeWorkerFrame } from '@millrace/protocol';
import { expect, it } from 'vitest';
import type { WorkerProcess } from '../ports.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { Deliveries, slotTarget } from './deliveries.ts';
import type { SourceRunner } from './source-runner.ts';
import { WorkerLink, type WorkerLinkEvents } from './worker-link.ts';
import { WorkerSlot } from './worker-slot.ts';

function setUp() {
  let receive: (frame: Uint8Array) => void = () => undefined;
  const process: WorkerProcess = {
    pid: 1,
    queuedBytes: 0,
    send: () => undefined,
    onFrame: (handler) => {
      receive = handler;
    },
    onExit: () => undefined,
    kill: () => undefined,
  };
  const events = new Proxy({} as WorkerLinkEvents, { get: () => () => undefined });
  const deliveries = new Deliveries();
  const authority = new WatermarkAuthority(1, 1);
  const slot = new WorkerSlot({ index: 0, deliveries, authority, samples: () => undefined });
  const link = new WorkerLink(0, 1, process, events, () => 0);
  slot.begin(link, 0);
  receive(encodeWorkerFrame({ kind: 'ready' }).slice());
  const waits = (waiting: number): void => {
    const rest = { pending: false, running: 0, wakeAt: undefined, nextWallTimer: undefined };
    const through = { throughSequence: link.sent, bundlesSent: 0 };
    receive(encodeWorkerFrame({ kind: 'status', waiting, ...through, ...rest }).slice());
    slot.watch(0, 0);
  };
  return { slot, deliveries, waits };
}

it('SU8: a worker with inputs on trial is given no more than can wait with it, and goes on when some were let go', () => {
  const { slot, deliveries, waits } = setUp();
  const source = { paused: false, node: 0, start: () => undefined, watch: () => undefined };
  slot.addSource(source as unknown as SourceRunner, false);
  const batch = { node: 0, stream: 0, slot: 0, count: 1, bytes: new Uint8Array(12) };
  waits(50_000);
  expect(source.paused).toBe(false);
  slot.onTrial = () => true;
  waits(50_000);
  deliveries.add(1, [batch], 0);
  slot.pump();
  expect(source.paused).toBe(true);
  expect(deliveries.isWaiting(slotTarget(0))).toBe(true);
  waits(100);
  expect(source.paused).toBe(false);
  expect(deliveries.isWaiting(slotTarget(0))).toBe(false);
  // Who paused it for another reason is not overruled.
  slot.pauseSources(() => true);
  waits(100);
  expect(source.paused).toBe(true);
});
