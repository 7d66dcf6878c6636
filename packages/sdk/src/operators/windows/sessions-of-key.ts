/** What session windows with a trigger and without have in common: which sessions a record is one with. */
import type { EventTime, StreamRecord } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import { dropLate, isExpired, refuseRetraction } from './pane-output.ts';
import { joinedContent, overlappingSessions, type Session, type SessionContext } from './session-store.ts';
import type { SessionWindow } from './window.ts';
import type { WindowedAggregate } from './windowed-aggregate.ts';

export interface Gathered {
  /** The latest first; at most two. */
  readonly joined: readonly Session[];
  /** Of the session that they are together, the record included. */
  readonly end: EventTime;
}

export interface Grown {
  readonly start: EventTime;
  readonly end: EventTime;
  readonly panes: number;
  readonly content: RowAccumulator;
}

export abstract class SessionsOfKey<T> {
  protected readonly row: Row<T>;
  protected readonly latenessMs: number;
  protected readonly discarding: boolean;
  readonly #gapMs: number;

  constructor(operator: WindowedAggregate<T, SessionWindow>) {
    this.row = operator.row;
    this.latenessMs = operator.latenessMs;
    this.discarding = operator.discarding;
    this.#gapMs = operator.window.gapMs;
  }

  /** Undefined for a record that was dropped: a late one counts with the session that it would be in. */
  protected gather(record: StreamRecord<T>, ctx: SessionContext<T>): Gathered | undefined {
    if (record.pane?.retracts === true) refuseRetraction();
    const alone = record.timestamp + this.#gapMs;
    const joined = overlappingSessions(record.timestamp, alone, ctx);
    const end = Math.max(alone, joined[0]?.end ?? alone);
    if (!record.late || !isExpired(end, this.latenessMs, ctx.watermark)) return { joined, end };
    dropLate(ctx, record);
    return undefined;
  }

  protected grown({ timestamp, value }: StreamRecord<T>, { joined, end }: Gathered): Grown {
    const content = joinedContent(joined, this.row);
    return {
      start: Math.min(timestamp, joined.at(-1)?.start ?? timestamp),
      end,
      panes: Math.max(0, ...joined.map(({ panes }) => panes)),
      content: content === undefined ? this.row.first(value) : this.row.add(content, value),
    };
  }

  protected armRemoval({ start, end }: Session, ctx: SessionContext<T>): void {
    ctx.setTimer(String(start), Math.min(end + this.latenessMs, Number.MAX_SAFE_INTEGER));
  }
}
