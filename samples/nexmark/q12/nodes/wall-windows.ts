/** Bids of a bidder in each ten seconds of the wall clock. Another run gives other rows. */
import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs {
  out: { bidder: number; bids: number; start: number; end: number };
}

const SPAN = 10_000;

export default computation<Inputs, Outputs, unknown, { maps: { bids: number }; timers: string }>({
  processRecord({ timestamp }, ctx) {
    const start = Math.floor(ctx.now / SPAN) * SPAN;
    const bids = ctx.map('bids');
    bids.set(start, (bids.get(start) ?? 0) + 1);
    // The row has the time of the last bid in it, and waits in front of it.
    ctx.setTimer(String(start), start + SPAN, { clock: 'wall', hold: timestamp });
  },
  processTimer({ tag, time }, ctx) {
    const start = Number(tag);
    const bids = ctx.map('bids').get(start) ?? 0;
    ctx.map('bids').delete(start);
    ctx.produce('out', { bidder: Number(ctx.key), bids, start, end: time });
  },
});
