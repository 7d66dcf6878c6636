import { flatMap, input } from '@millrace/sdk';
import type { Inputs } from './streams';

/** Bids between a million and fifty million, by the hour of the day. */
export default flatMap(input<Inputs['in']>(), ({ auction, bidder, price: bid, ts, extra }) => {
  // In thousandths: 0.908 times a whole number is exact then.
  const price = (bid * 908) / 1000;
  if (bid * 908 <= 1_000_000_000 || bid * 908 >= 50_000_000_000) return [];
  const hour = new Date(ts).getUTCHours();
  const at = hour >= 8 && hour <= 18 ? 'dayTime' : hour <= 6 || hour >= 20 ? 'nightTime' : 'otherTime';
  return [{ auction, bidder, price, at, ts, extra, c: extra.split('c').length - 1 }];
});
