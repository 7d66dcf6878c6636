/** Records in any order with a watermark that follows some of them, for properties of operators. */
import fc from 'fast-check';

export interface Arrival {
  readonly side: 'left' | 'right';
  readonly key: string;
  readonly time: number;
  /** The watermark is raised to this after the record; undefined: it stays. */
  readonly watermark: number | undefined;
  /** The watermark had passed it when it came (W8). */
  readonly isLate: boolean;
  /** Of the watermark, when it came. */
  readonly at: number;
  /** Its place, which is its value, too. */
  readonly n: number;
}

export interface ArrivalShape {
  readonly most?: number;
  /** How far behind the record that raises it the watermark is. */
  readonly slack?: number;
  readonly times?: readonly [number, number];
}

export function arrivals({
  most = 30,
  slack = 5,
  times = [-20, 20],
}: ArrivalShape = {}): fc.Arbitrary<readonly Arrival[]> {
  const row = fc.record({
    side: fc.constantFrom('left' as const, 'right' as const),
    key: fc.constantFrom('a', 'b'),
    time: fc.integer({ min: times[0], max: times[1] }),
    advance: fc.boolean(),
  });
  return fc.array(row, { maxLength: most }).map((rows) => {
    let at = Number.NEGATIVE_INFINITY;
    return rows.map(({ advance, ...each }, n) => {
      const before = at;
      if (advance) at = Math.max(at, each.time - slack);
      const watermark = at > before ? at : undefined;
      return { ...each, watermark, isLate: each.time < before, at: before, n };
    });
  });
}

interface Fed {
  record(side: never, key: string, value: never, time: number): unknown;
  watermark(time: number): unknown;
  end(): unknown;
}

/** Feeds all of them, and the end. `port`: on which input, by default the side's. */
export function feed(
  subject: Fed,
  given: readonly Arrival[],
  {
    port,
    value = (arrival: Arrival): unknown => arrival.n,
  }: { port?: string; value?(arrival: Arrival): unknown } = {},
): void {
  for (const arrival of given) {
    subject.record((port ?? arrival.side) as never, arrival.key, value(arrival) as never, arrival.time);
    if (arrival.watermark !== undefined) subject.watermark(arrival.watermark);
  }
  subject.end();
}
