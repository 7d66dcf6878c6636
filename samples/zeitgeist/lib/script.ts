/**
 * What people search for, written down in advance: every region asks each query 8 times a second, and now and
 * then something happens. A region has 100 slots a second, numbered from the beginning; a slot is one query or silence.
 */

const QUERIES = ['carnival of venice', 'election', 'football', 'recipes', 'weather'] as const;

export type Query = (typeof QUERIES)[number];

const PER_SECOND = 8;

interface Event {
  readonly query: Query;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly perSecond: number;
}

/** Two spikes and a dip; seconds since the beginning. */
const EVENTS: readonly Event[] = [
  { query: 'football', from: 40, to: 43, perSecond: 48 },
  { query: 'weather', from: 60, to: 64, perSecond: 2 },
  { query: 'carnival of venice', from: 75, to: 80, perSecond: 32 },
];

/** The query asked in this slot, `undefined` for silence. */
export function queryAt(slot: number): Query | undefined {
  const second = Math.floor(slot / 100);
  let place = slot - second * 100;
  for (const query of QUERIES) {
    const asked = askedPerSecond(query, second);
    if (place < asked) return query;
    place -= asked;
  }
  return undefined;
}

function askedPerSecond(query: Query, second: number): number {
  const event = EVENTS.find((e) => e.query === query && e.from <= second && second < e.to);
  return event?.perSecond ?? PER_SECOND;
}
