/**
 * The bid that wins an auction: of those that reach the reserve before it expires the highest, of equal ones the
 * first. It is known when the watermark has passed the expiry, and has that time.
 *
 * A bid may come before its auction; it waits for it.
 */
import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

type Auction = Pick<Inputs['auctions'], 'seller' | 'category' | 'expires' | 'reserve'>;
type Bid = Pick<Inputs['bids'], 'bidder' | 'price' | 'ts'>;
interface State {
  readonly auction?: Auction;
  /** Best so far; of an auction that is not known yet all bids wait. */
  readonly best?: Bid;
  readonly waiting: readonly Bid[];
}
export interface Outputs {
  won: {
    auction: number;
    seller: number;
    category: number;
    expires: number;
    bidder: number;
    price: number;
    bidTs: number;
  };
}

const DAY = 86_400_000;

export default computation<Inputs, Outputs, State, { timers: 'expires' | 'forget' }>({
  processRecord(record, ctx) {
    const { auction, best, waiting } = ctx.state.get() ?? { waiting: [] };
    if (record.stream === 'auctions') {
      const { seller, category, expires, reserve } = record.value;
      const known = { seller, category, expires, reserve };
      ctx.state.set({ auction: known, best: waiting.reduce(better(known), best), waiting: [] });
      ctx.setTimer('expires', expires, { hold: expires });
      ctx.setTimer('forget', expires + DAY);
      return;
    }
    const { bidder, price, ts } = record.value;
    const bid = { bidder, price, ts };
    if (auction === undefined) {
      ctx.state.set({ waiting: [...waiting, bid] });
      ctx.setTimer('forget', record.timestamp + DAY);
    } else if (better(auction)(best, bid) === bid) {
      ctx.state.set({ auction, best: bid, waiting });
    }
  },
  processTimer({ tag }, ctx) {
    const { auction, best } = ctx.state.get() ?? {};
    if (tag === 'forget') ctx.state.clear();
    else if (auction !== undefined && best !== undefined) {
      const { seller, category, expires } = auction;
      const { bidder, price, ts } = best;
      ctx.produce('won', { auction: Number(ctx.key), seller, category, expires, bidder, price, bidTs: ts });
    }
  },
});

function better({ reserve, expires }: Auction) {
  return (best: Bid | undefined, bid: Bid): Bid | undefined => {
    if (bid.price < reserve || bid.ts >= expires) return best;
    if (best === undefined || bid.price > best.price) return bid;
    return bid.price === best.price && bid.ts < best.ts ? bid : best;
  };
}
