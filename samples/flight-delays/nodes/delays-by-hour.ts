import { aggregate, avg, count, input, max, tumbling } from '@millrace/sdk';
import type { Inputs } from './streams';

/**
 * How late flights leave an airport, hour by hour. The records are keyed by airport, so each has its own hours;
 * an hour is told once the watermark says that no flight of it is still to come.
 */
export default aggregate(input<Inputs['flights']>(), {
  window: tumbling('1h'),
  aggregates: {
    flights: count(),
    meanDelay: avg((flight) => flight.delay),
    longestDelay: max((flight) => flight.delay),
  },
});
