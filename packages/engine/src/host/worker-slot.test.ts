import { AWAY_SLOT, decodeHostFrame, encodeWorkerFrame } from '@millrace/protocol';
import { expect, it } from 'vitest';
import type { WorkerProcess } from '../ports.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { Deliveries, slotTarget } from './deliveries.ts';
import type { SourceRunner } from './source-runner.ts';
import { TableStandings } from './table-standings.ts';
import { WorkerLink, type WorkerLinkEvents } from './worker-link.ts';
import { WorkerSlot } from './worker-slot.ts';

function setUp() {
  const sent: string[] = [];
  let receive: (frame: Uint8Array) => void = () => undefined;
  const process: WorkerProcess = {
    pid: 1,
    queuedBytes: 0,
    send: (frame) => {
      const told = decodeHostFrame(frame);
      if (told.kind === 'deliver') sent.push(`${told.channel} ${told.position}`);
      if (told.kind === 'watermarks') sent.push(told.lowered ? 'lowered' : 'watermarks');
    },
    onFrame: (handler) => {
      receive = handler;
    },
    onExit: () => undefined,
    kill: () => undefined,
  };
  const events = new Proxy({} as WorkerLinkEvents, { get: () => () => undefined });
  const deliveries = new Deliveries();
  const authority = new WatermarkAuthority(1, 1);
  const slot = new WorkerSlot({
    index: 0,
    deliveries,
    authority,
    tables: new TableStandings([]),
    samples: () => undefined,
  });
  const link = new WorkerLink(0, 1, process, events, () => 0);
  slot.begin(link, 0);
  receive(encodeWorkerFrame({ kind: 'ready' }).slice());
  const waits = (waiting: number): void => {
    const rest = { pending: false, running: 0, wakeAt: undefined, nextWallTimer: undefined };
    const through = { throughSequence: link.sent, bundlesSent: 0 };
    receive(encodeWorkerFrame({ kind: 'status', waiting, ...through, ...rest }).slice());
    slot.watch(0, 0);
  };
  return { slot, deliveries, waits, sent };
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

it('P11, PH2: what waits apart is taken with its own queue in the order of the log, and of one bundle first', () => {
  const { slot, deliveries, sent } = setUp();
  const batch = (to: number) => ({ node: 0, stream: 0, slot: to, count: 1, bytes: new Uint8Array(12) });
  deliveries.add(1, [batch(AWAY_SLOT)], 0);
  deliveries.add(2, [batch(0)], 0);
  // Its sender heard in the middle of it that the interval is there.
  deliveries.add(3, [batch(0), batch(AWAY_SLOT)], 0);
  slot.hears(1);
  slot.hearsLowered(1);
  slot.takesAway = true;
  slot.isJoining = true;
  slot.pump();
  expect(sent).toEqual([`${AWAY_SLOT} 1`, `${AWAY_SLOT} 3`]);
  slot.isJoining = false;
  slot.pump();
  expect(sent.slice(2)).toEqual(['0 2', '0 3', 'lowered', 'watermarks']);
  deliveries.untake(slotTarget(0));
  deliveries.untake(slotTarget(AWAY_SLOT));
  slot.pump();
  expect(sent.slice(6)).toEqual([`${AWAY_SLOT} 1`, '0 2', `${AWAY_SLOT} 3`, '0 3']);
});
