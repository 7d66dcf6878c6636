import { aggregate, count, input, sum, tumbling } from '@millrace/sdk';
import type { Inputs } from './streams';

/** How many requests were answered with each status, and how many bytes went out with them. */
export default aggregate(input<Inputs['requests']>(), {
  window: tumbling('1h'),
  aggregates: {
    requests: count(),
    bytes: sum((request) => request.bytes),
  },
});
