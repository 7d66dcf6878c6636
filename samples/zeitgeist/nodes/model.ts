import { computation } from '@millrace/sdk';
import { isDip, isSpike } from '#lib/unusual';
import type { Inputs } from './streams';

export interface Outputs {
  compared: { second: number; count: number; complete: boolean; expected: number };
}

interface State {
  expected: number;
  seconds: number;
}

/** Seconds to watch a query before anything is expected of it. */
const LEARNING_SECONDS = 10;
const WEIGHT_OF_NEWEST = 0.1;

/** Learns how often each query is usually asked, and puts that beside what was counted. */
export default computation<Inputs, Outputs, State>({
  processRecord(record, ctx) {
    const { second, count, complete } = record.value;
    const { expected, seconds } = ctx.state.get() ?? { expected: count, seconds: 0 };
    const learning = seconds < LEARNING_SECONDS;
    if (!learning) ctx.produce('compared', { second, count, complete, expected });

    // What is out of the ordinary must not become what is expected.
    if (!complete || (!learning && (isSpike(count, expected) || isDip(count, expected)))) return;
    const moved = seconds === 0 ? count : expected + (count - expected) * WEIGHT_OF_NEWEST;
    ctx.state.set({ expected: moved, seconds: seconds + 1 });
  },
});
