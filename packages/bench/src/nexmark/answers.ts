/**
 * What each query of Nexmark must give for a list of events: batch computations straight from their definitions
 * (those of Beam's suite for q0 to q13, of the SQL suite for q14 to q23), without windows, state or order.
 *
 * A row is the list of its values. q12 is about the wall clock and has no answer.
 */
import type { Auction, Bid, NexmarkEvent, Person } from './events.ts';

export type Row = readonly unknown[];

interface Events {
  readonly people: readonly Person[];
  readonly auctions: readonly Auction[];
  readonly bids: readonly Bid[];
}

export function nexmarkAnswers(events: readonly NexmarkEvent[]): ReadonlyMap<string, readonly Row[]> {
  const of = <T extends NexmarkEvent['type']>(type: T) =>
    events.filter((event): event is Extract<NexmarkEvent, { type: T }> => event.type === type);
  const given = { people: of('person'), auctions: of('auction'), bids: of('bid') };
  return new Map(Object.entries(ANSWERS).map(([query, answer]) => [query, answer(given)]));
}

const ANSWERS: Readonly<Record<string, (events: Events) => readonly Row[]>> = {
  q0: ({ bids }) => bids.map(({ auction, bidder, price, ts }) => [auction, bidder, price, ts]),
  q1: ({ bids }) =>
    bids.map(({ auction, bidder, price, ts }) => [auction, bidder, Number((BigInt(price) * 89n) / 100n), ts]),
  q2: ({ bids }) =>
    bids.filter(({ auction }) => auction % 123 === 0).map(({ ts, auction, price }) => [ts, auction, price]),
  q3: ({ people, auctions }) => {
    const ofSeller = lookup(auctions, ({ seller }) => seller);
    return people
      .filter(({ state }) => ['OR', 'ID', 'CA'].includes(state))
      .flatMap(({ id, name, city, state }) =>
        ofSeller(id)
          .filter(({ category }) => category === 10)
          .map((auction) => [name, city, state, auction.id]),
      );
  },
  q4: (events) =>
    groups(winners(events), ({ category }) => category).map(([category, won]) => {
      const last = Math.floor(greatest(won.map(({ expires }) => expires)) / 5_000) * 5_000;
      const inLast = won.filter(({ expires }) => expires >= last);
      return [category, Math.round(mean(inLast.map(({ price }) => price)))];
    }),
  q5: ({ bids }) => hottest(bids, 10_000, 5_000),
  q6: (events) =>
    groups(winners(events), ({ seller }) => seller).map(([seller, won]) => {
      const last = won
        .toSorted((one, other) => other.bidTs - one.bidTs || other.price - one.price)
        .slice(0, 10);
      return [seller, Math.floor(mean(last.map(({ price }) => price)) + 0.5)];
    }),
  q7: ({ bids }) =>
    groups(bids, ({ ts }) => floor(ts, 10_000)).flatMap(([window, inWindow]) => {
      const most = greatest(inWindow.map(({ price }) => price));
      return inWindow
        .filter(({ price }) => price === most)
        .map(({ auction, bidder, price, ts }) => [window, auction, bidder, price, ts]);
    }),
  q8: ({ people, auctions }) => {
    const ofSeller = lookup(auctions, ({ seller }) => seller);
    return people.flatMap(({ id, name, ts }) =>
      ofSeller(id)
        .filter((auction) => floor(auction.ts, 10_000) === floor(ts, 10_000))
        .map(({ reserve }) => [id, name, reserve]),
    );
  },
  q9: (events) =>
    winners(events).map((won) => [
      ...[won.auction, won.seller, won.category, won.expires, won.bidder, won.price, won.bidTs],
    ]),
  q10: ({ bids }) =>
    bids.map(({ auction, bidder, price, ts, extra }) => [
      ...[auction, bidder, price, ts, extra, iso(ts).slice(0, 10), iso(ts).slice(11, 16)],
    ]),
  q11: ({ bids }) => sessions(bids, 10_000),
  q13: ({ bids }) =>
    bids.map(({ auction, bidder, price, ts }) => [auction, bidder, price, ts, String(bidder % 500)]),
  q14: ({ bids }) =>
    bids
      .map((bid) => ({ ...bid, milli: BigInt(bid.price) * 908n, hour: new Date(bid.ts).getUTCHours() }))
      .filter(({ milli }) => milli > 1_000_000_000n && milli < 50_000_000_000n)
      .map(({ auction, bidder, milli, hour, ts, extra }) => {
        const isDay = hour >= 8 && hour <= 18;
        const at = isDay ? 'dayTime' : hour <= 6 || hour >= 20 ? 'nightTime' : 'otherTime';
        return [
          auction,
          bidder,
          Number(milli) / 1000,
          at,
          ts,
          extra,
          [...extra].filter((c) => c === 'c').length,
        ];
      }),
  q15: ({ bids }) => statistics(bids, () => 'all'),
  q16: ({ bids }) => statistics(bids, ({ channel = '' }) => channel),
  q17: ({ bids }) =>
    groups(bids, ({ auction, ts }) => `${auction} ${iso(ts).slice(0, 10)}`).map(([id, some]) => {
      const [auction, day] = id.split(' ');
      const prices = some.map(({ price }) => price);
      const byLevel = [1, 2, 3].map((level) => some.filter((bid) => levelOf(bid) === level).length);
      const [least, most] = [-greatest(prices.map((price) => -price)), greatest(prices)];
      return [
        Number(auction),
        day,
        some.length,
        ...byLevel,
        least,
        most,
        Math.trunc(mean(prices)),
        sum(prices),
      ];
    }),
  q18: ({ bids }) =>
    groups(bids, ({ bidder, auction }) => `${bidder} ${auction}`).map(([, some]) => {
      const { auction, bidder, price, ts } = some.toSorted((one, other) => one.ts - other.ts).at(-1)!;
      return [auction, bidder, price, ts];
    }),
  q19: ({ bids }) =>
    groups(bids, ({ auction }) => auction).flatMap(([auction, some]) =>
      some
        .toSorted((one, other) => other.price - one.price || one.ts - other.ts)
        .slice(0, 10)
        .map(({ bidder, price, ts }, i) => [auction, bidder, price, ts, i + 1]),
    ),
  q20: ({ bids, auctions }) => {
    const ofId = lookup(auctions, ({ id }) => id);
    return bids.flatMap(({ auction, bidder, price, ts }) =>
      ofId(auction)
        .filter(({ category }) => category === 10)
        .map((each) => [
          ...[auction, bidder, price, ts, each.itemName, each.reserve, each.expires, each.seller, 10],
        ]),
    );
  },
  q21: ({ bids }) =>
    bids.flatMap(({ auction, bidder, price, channel = '', url = '' }) => {
      const known = ['apple', 'google', 'facebook', 'baidu'].indexOf(channel.toLowerCase());
      const [, inUrl] = url.split('&channel_id=');
      if (known === -1 && inUrl === undefined) return [];
      return [[auction, bidder, price, channel, known === -1 ? inUrl : String(known)]];
    }),
  q22: ({ bids }) =>
    bids.map(({ auction, bidder, price, channel, url = '' }) => [
      ...[auction, bidder, price, channel, url.split('/').slice(3, 6)],
    ]),
  q23: ({ bids, people, auctions }) => {
    const ofId = lookup(people, ({ id }) => id);
    const ofSeller = lookup(auctions, ({ seller }) => seller);
    return bids.flatMap(({ bidder, price, ts }) =>
      ofId(bidder).flatMap(({ name, city }) =>
        ofSeller(bidder).map(({ id, itemName, reserve }) => [
          ...[bidder, price, ts, name, city, id, itemName, reserve],
        ]),
      ),
    );
  },
};

/** Of each auction the highest bid that reaches the reserve before it expires, the first of equal ones. */
function winners({ auctions, bids }: Events) {
  const bidsOf = new Map(groups(bids, ({ auction }) => auction));
  return auctions.flatMap(({ id, seller, category, expires, reserve }) => {
    const [best] = (bidsOf.get(id) ?? [])
      .filter(({ price, ts }) => price >= reserve && ts < expires)
      .toSorted((one, other) => other.price - one.price || one.ts - other.ts);
    if (best === undefined) return [];
    const { bidder, price, ts: bidTs } = best;
    return [{ auction: id, seller, category, expires, bidder, price, bidTs }];
  });
}

/** In each window the auctions with most bids: `[end, auction, bids]`. */
export function hottest(bids: readonly Bid[], size: number, slide: number): Row[] {
  const counted = bids.flatMap(({ auction, ts }) => {
    const ends: { end: number; auction: number }[] = [];
    for (let end = floor(ts, slide) + slide; end - size <= ts; end += slide) ends.push({ end, auction });
    return ends;
  });
  return groups(counted, ({ end }) => end).flatMap(([end, inWindow]) => {
    const counts = groups(inWindow, ({ auction }) => auction).map(
      ([auction, all]) => [auction, all.length] as const,
    );
    const most = greatest(counts.map(([, count]) => count));
    return counts.filter(([, count]) => count === most).map(([auction, count]) => [end, auction, count]);
  });
}

export function sessions(bids: readonly Bid[], gap: number): Row[] {
  return groups(bids, ({ bidder }) => bidder).flatMap(([bidder, some]) => {
    const rows: [number, number, number, number][] = [];
    for (const { ts } of some.toSorted((one, other) => one.ts - other.ts)) {
      const row = rows.at(-1);
      if (row === undefined || ts >= row[2]) rows.push([bidder, ts, ts + gap, 1]);
      else rows[rows.length - 1] = [bidder, row[1], ts + gap, row[3] + 1];
    }
    return rows;
  });
}

function statistics(bids: readonly Bid[], keyOf: (bid: Bid) => string): Row[] {
  return groups(bids, (bid) => `${keyOf(bid)} ${iso(bid.ts).slice(0, 10)}`).map(([id, some]) => {
    const byLevel = [some, ...[1, 2, 3].map((level) => some.filter((bid) => levelOf(bid) === level))];
    const minute = iso(greatest(some.map(({ ts }) => ts))).slice(11, 16);
    const [key, day] = id.split(' ');
    return [
      ...[key, day, minute, byLevel.map(({ length }) => length)],
      byLevel.map((each) => new Set(each.map(({ bidder }) => bidder)).size),
      byLevel.map((each) => new Set(each.map(({ auction }) => auction)).size),
    ];
  });
}

const levelOf = ({ price }: Bid): number => (price < 10_000 ? 1 : price < 1_000_000 ? 2 : 3);
const iso = (ts: number): string => new Date(ts).toISOString();
const floor = (time: number, step: number): number => Math.floor(time / step) * step;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

/** As `Math.max` of all, however many there are. */
const greatest = (numbers: readonly number[]): number =>
  numbers.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);

function lookup<T, K>(items: readonly T[], keyOf: (item: T) => K): (key: K) => readonly T[] {
  const found = new Map(groups(items, keyOf));
  return (key) => found.get(key) ?? [];
}

function groups<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const found = new Map<K, T[]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group === undefined) found.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...found];
}
