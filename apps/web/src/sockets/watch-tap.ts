/**
 * Records that go by on some streams, as long as somebody looks. Each tap is one on the server, which ends it with
 * the socket: after a reconnect it is opened anew.
 */
import type { EventPayload, TapRecordShown } from '@millrace/protocol/api';
import { isConnected, onConnected, onEvent, request } from './connection.ts';

export interface TapWanted {
  readonly pipeline: string;
  readonly streams: readonly string[];
  readonly filter: string | undefined;
}

export interface TapListener {
  readonly opened: () => void;
  readonly records: (batch: TapBatch) => void;
  /** It shows nothing more: refused, or ended by the server; why, in words. */
  readonly ended: (detail: string) => void;
}

export interface TapBatch {
  readonly records: readonly TapRecordShown[];
  readonly seen: number;
  readonly filtered: number;
  readonly dropped: number;
}

/** Gives the way to stop. */
export function watchTap(wanted: TapWanted, listener: TapListener): () => void {
  const { pipeline, streams, filter } = wanted;
  let tap: string | undefined;
  let round = 0;
  let closed = false;
  /** What came before the answer that says which tap it is of: the server may be that quick. */
  let early: { readonly batch: EventPayload<'tap.records'>; readonly taken: () => void }[] = [];
  const close = (id: string): void => {
    if (isConnected()) request('tap.close', { tap: id, pipeline }).catch(() => undefined);
  };
  const open = async (): Promise<void> => {
    round += 1;
    const mine = round;
    tap = undefined;
    early = [];
    const payload = { pipeline, streams: [...streams], recordsPerSecond: 50, ...(filter && { filter }) };
    const answer = await request('tap.open', payload).catch(() => undefined);
    // Without an answer the socket is away, and the next connection asks again.
    if (answer === undefined) return;
    if (closed || mine !== round) {
      if (answer.ok) close(answer.tap);
      return;
    }
    if (!answer.ok) return listener.ended(answer.detail);
    tap = answer.tap;
    listener.opened();
    for (const { batch, taken } of early.splice(0)) take(batch, taken);
  };
  const take = (batch: EventPayload<'tap.records'>, taken: () => void): void => {
    if (batch.tap === tap) listener.records(batch);
    taken();
  };
  const stops = [
    onEvent('tap.records', (batch, taken) => {
      if (batch.pipeline !== pipeline) return;
      if (tap === undefined) early.push({ batch, taken });
      else if (batch.tap === tap) take(batch, taken);
    }),
    onEvent('tap.ended', (ended) => {
      if (ended.tap === tap) listener.ended(ended.detail);
    }),
    onConnected(() => void open()),
  ];
  return () => {
    closed = true;
    for (const stop of stops) stop();
    if (tap !== undefined) close(tap);
  };
}
