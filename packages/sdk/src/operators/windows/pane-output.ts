import type { Context, EventTime, Pane, StreamRecord } from '../../api.ts';

export interface AggregateOutputs<T, R> {
  /** One record a pane, at `end - 1`; its window is in `record.pane` (N5). */
  out: R;
  /** Records that came after `end + allowedLateness` of every window they belong to, as they were (N4). */
  late: T;
}

/** What the handlers of the windows need of their context; State and maps differ by window. */
export type PaneContext = Pick<Context<AggregateOutputs<unknown, unknown>>, 'produce' | 'dropLate'>;

export function producePane(ctx: PaneContext, value: unknown, pane: Pane): void {
  ctx.produce('out', value, { timestamp: pane.end - 1, pane });
}

export function dropLate(ctx: PaneContext, record: StreamRecord): void {
  ctx.produce('late', record.value, record.pane === undefined ? undefined : { pane: record.pane });
  ctx.dropLate();
}

/** Every timer that fires a window holds the output watermark where its pane will be (W2). */
export function holdOf(end: EventTime): { readonly hold: EventTime } {
  return { hold: end - 1 };
}

/** True when a window is past the lateness it allows: late records are dropped for it, its state goes (N4). */
export function isExpired(end: EventTime, latenessMs: number, watermark: EventTime | undefined): boolean {
  return watermark !== undefined && watermark >= end + latenessMs;
}

/** Adding up what has been withdrawn would be wrong without a trace. */
export function refuseRetraction(): never {
  throw new TypeError(
    'This record takes back a pane of an aggregate that is "accumulating-and-retracting". Give this aggregate `retractions: true` and a window that is no session, or have the other one accumulate or discard.',
  );
}
