import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs {
  rates: {
    minute: Date;
    requests: number;
    errors: number;
    errorRate: number;
    meanMs: number;
    slowestMs: number;
  };
}

const MINUTE_MS = 60_000;

/** A minute of a route, with its error rate. A late request gives the minute again, and the table its newer row. */
export default computation<Inputs, Outputs>({
  processRecord(record, ctx) {
    const { requests, errors, meanMs, slowestMs } = record.value;
    const minute = new Date(Math.floor(record.timestamp / MINUTE_MS) * MINUTE_MS);
    const errorRate = Number(errors) / Number(requests);
    ctx.produce('rates', {
      minute,
      requests: Number(requests),
      errors: Number(errors),
      errorRate,
      meanMs,
      slowestMs,
    });
  },
});
