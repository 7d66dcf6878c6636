import { computation } from '@millrace/sdk';
import { isDip, isSpike } from '#lib/unusual';
import type { Inputs } from './streams';

export interface Outputs {
  alerts: { alert: 'spike' | 'dip'; query: string; second: Date };
}

/**
 * Tells of a spike as soon as the count so far is too high: more queries only make it higher. A dip waits for
 * the complete second, that is for the watermark: a region that is behind must not look like one.
 */
export default computation<Inputs, Outputs, unknown, { maps: { told: true } }>({
  processRecord(record, ctx) {
    const { second, count, complete, expected } = record.value;
    const told = ctx.map('told');
    const alert = (kind: 'spike' | 'dip') =>
      ctx.produce(
        'alerts',
        { alert: kind, query: ctx.key, second: new Date(second) },
        { timestamp: second + 999 },
      );

    if (isSpike(count, expected) && !told.has(second)) {
      told.set(second, true);
      alert('spike');
    }
    if (complete) {
      if (isDip(count, expected)) alert('dip');
      told.delete(second);
    }
  },
});
