/**
 * Bids, bidders and auctions of a day, all and by level of price; the bidders and auctions each once. A bidder is
 * held with the levels it has bid at.
 */
import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs {
  out: {
    key: string;
    day: string;
    minute: string;
    bids: readonly number[];
    bidders: readonly number[];
    auctions: readonly number[];
  };
}
interface Day {
  readonly last: number;
  /** All, below 10,000, below 1,000,000, above. */
  readonly bids: readonly number[];
}

const DAY = 86_400_000;
const text = (time: number, from: number, to: number): string => new Date(time).toISOString().slice(from, to);

export default computation<Inputs, Outputs, unknown, { maps: { days: Day; seen: number }; timers: string }>({
  processRecord({ value, timestamp }, ctx) {
    const day = Math.floor(timestamp / DAY) * DAY;
    const level = value.price < 10_000 ? 1 : value.price < 1_000_000 ? 2 : 3;
    const days = ctx.map('days');
    const { bids, last } = days.get(day) ?? { bids: [0, 0, 0, 0], last: 0 };
    days.set(day, {
      bids: bids.map((n, i) => (i === 0 || i === level ? n + 1 : n)),
      last: Math.max(last, timestamp),
    });
    const seen = ctx.map('seen');
    for (const whose of [`${day} bidder ${value.bidder}`, `${day} auction ${value.auction}`]) {
      const levels = (seen.get(whose) ?? 1) | (1 << level);
      if (seen.get(whose) !== levels) seen.set(whose, levels);
    }
    ctx.setTimer(String(day), day + DAY, { hold: day + DAY - 1 });
  },
  processTimer({ tag }, ctx) {
    const day = Number(tag);
    const { bids, last } = ctx.map('days').get(day) ?? { bids: [], last: 0 };
    const levels = { bidder: [0, 0, 0, 0], auction: [0, 0, 0, 0] };
    const seen = ctx.map('seen');
    for (const [whose, mask] of seen.entries({ from: `${day} `, to: `${day}!` })) {
      const counts = levels[String(whose).includes('bidder') ? 'bidder' : 'auction'];
      for (let level = 0; level < counts.length; level += 1) counts[level] += (mask >> level) & 1;
    }
    seen.deleteRange(`${day} `, `${day}!`);
    ctx.map('days').delete(day);
    const { bidder: bidders, auction: auctions } = levels;
    const minute = text(last, 11, 16);
    ctx.produce('out', { key: ctx.key, day: text(day, 0, 10), minute, bids, bidders, auctions });
  },
});
