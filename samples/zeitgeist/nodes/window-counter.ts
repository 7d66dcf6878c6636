import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs {
  /** `complete`: no query of that second is still to come. */
  counts: { second: number; count: number; complete: boolean };
}

/** How often a query is asked, second by second: the count so far with every query, and once the full one. */
export default computation<Inputs, Outputs, unknown, { maps: { counts: number } }>({
  processRecord(record, ctx) {
    const second = Math.floor(record.timestamp / 1000) * 1000;
    const end = second + 1000;
    if (ctx.watermark !== undefined && ctx.watermark >= end) return ctx.dropLate();

    const counts = ctx.map('counts');
    const count = (counts.get(second) ?? 0) + 1;
    counts.set(second, count);
    ctx.setTimer(String(second), end, { hold: end - 1 });
    ctx.produce('counts', { second, count, complete: false });
  },

  processTimer(timer, ctx) {
    const second = Number(timer.tag);
    const counts = ctx.map('counts');
    ctx.produce('counts', { second, count: counts.get(second) ?? 0, complete: true });
    counts.delete(second);
  },
});
