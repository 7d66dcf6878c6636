/** What a trace found, in the order in which it is read: what is nearest, and below each what is beyond it. Pure. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';

export type RecordTrace = AnswerOf<RouteOf<'records.trace'>>;
export type TracedHop = RecordTrace['parents'][number];

export interface WayRow {
  readonly hop: TracedHop;
  /** 0: next to the record that was asked for. */
  readonly depth: number;
}

/** `id`: the record that was asked for. */
export function wayRows(hops: readonly TracedHop[], id: string): readonly WayRow[] {
  const expanded = new Set<string>();
  const beyond = (from: string, depth: number): WayRow[] => {
    // A record that goes two ways is one record: what is beyond it is listed once.
    if (expanded.has(from)) return [];
    expanded.add(from);
    return hops
      .filter((hop) => hop.from === from && hop.hops === depth + 1)
      .flatMap((hop) => [{ hop, depth }, ...beyond(hop.id, depth + 1)]);
  };
  return beyond(id, 0);
}
