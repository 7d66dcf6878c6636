import { computation } from '@millrace/sdk';
import { leastSpike } from '#lib/metrics';
import type { Inputs } from './streams';

export interface Outputs {
  judged: {
    slot: number;
    at: Date;
    mean: number;
    peak: number;
    samples: number;
    usual: number | null;
    spike: boolean;
  };
}

interface State {
  usual: number;
  deviation: number;
  windows: number;
}

const WINDOW_MS = 10_000;
/** The table keeps an hour: a window takes the place of the one an hour before. */
const SLOTS = 360;
const LEARNING_WINDOWS = 6;
const WEIGHT_OF_NEWEST = 0.1;
const DEVIATIONS = 4;

/** Learns how busy each part of the machine usually is, and tells which windows stand out. */
export default computation<Inputs, Outputs, State>({
  processRecord(record, ctx) {
    const { mean, peak, samples } = record.value;
    const known = ctx.state.get() ?? { usual: mean, deviation: 0, windows: 0 };
    const learned = known.windows >= LEARNING_WINDOWS;
    const spike = learned && mean > known.usual + DEVIATIONS * known.deviation && mean > leastSpike(ctx.key);
    if (spike) ctx.log.warn(`${ctx.key} stands out: ${mean.toFixed(3)}, usually ${known.usual.toFixed(3)}`);

    const window = Math.floor(record.timestamp / WINDOW_MS);
    const usual = learned ? known.usual : null;
    const at = new Date(window * WINDOW_MS);
    ctx.produce('judged', { slot: window % SLOTS, at, mean, peak, samples: Number(samples), usual, spike });

    // A spike moves what is usual only slowly: a minute of load must not become normal at once.
    const weight = known.windows === 0 ? 1 : spike ? WEIGHT_OF_NEWEST / 4 : WEIGHT_OF_NEWEST;
    const off = mean - known.usual;
    ctx.state.set({
      usual: known.usual + weight * off,
      deviation: known.deviation + weight * (Math.abs(off) - known.deviation),
      windows: known.windows + 1,
    });
  },
});
