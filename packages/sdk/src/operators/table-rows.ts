/**
 * The rows that a table had for one key, each with the time for which it stands (`lookup`).
 *
 * Of a table that is read again and again only what changes comes: a row when it is first found, its pane from then to
 * the end of time, and the same row once more when it has gone, its pane as long as it stood. What is found by a reading
 * from scratch (behind a restart, of another version) carries that reading's index, and what only earlier ones had is gone
 * from where `ctx.table` says. Rows of index 0 say from when to when they stand themselves.
 *
 * Owns: map `rows` (from when they stand → rows), for each time in it the watermark timer `x<time>`.
 *
 * Invariants
 *   LK3  of a row that stays the same one entry is kept, however often the table is read. It goes once the watermark has
 *        passed all it stood for: at its end, where that is known, else within a day.
 *   LK4  a row of which it is decided already that it was not there is told and left out: it was set aside, and the table
 *        may have lost it since. A row too few is mended by the next change, one too many by nothing.
 */
import type { EventTime, Log, Pane, StateMap, TableKnowledge } from '../api.ts';
import { sameData } from '../same-data.ts';

export interface Row {
  readonly row: unknown;
  readonly end: EventTime;
  /** Of the reading from scratch that has found it. */
  readonly index?: number | undefined;
}

/** What it takes of a call's context. */
export interface RowsContext {
  readonly key: string;
  readonly now: EventTime;
  readonly watermark: EventTime | undefined;
  readonly log: Log;
  map(name: 'rows'): StateMap<readonly Row[]>;
  setTimer(tag: string, time: EventTime): void;
  clearTimer(tag: string): void;
}

const EVER = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;
/** No record has a time before it. */
const EARLIEST = -8_640_000_000_000_000;

/** The row of a time; `isSure`: nothing that is to come changes it. */
export function rowAt(
  time: EventTime,
  table: TableKnowledge | undefined,
  ctx: RowsContext,
): { readonly row: Row | undefined; readonly isSure: boolean } {
  const row = standingAt(time, table, ctx);
  if (table !== undefined && time < table.until) return { row, isSure: true };
  return { row, isSure: row !== undefined && (row.index === undefined || row.end !== EVER) };
}

function standingAt(time: EventTime, table: TableKnowledge | undefined, ctx: RowsContext): Row | undefined {
  for (const [, rows] of ctx.map('rows').entries({ to: time + 1, reverse: true }))
    for (const row of rows) if (time < row.end && time < goneFrom(row, table)) return row;
  return undefined;
}

function goneFrom({ index }: Row, table: TableKnowledge | undefined): EventTime {
  return index === undefined || table === undefined ? Number.POSITIVE_INFINITY : table.goneFrom(index);
}

/** Takes what the table says of one of its rows. */
export function takeRow(row: unknown, pane: Pane, table: TableKnowledge | undefined, ctx: RowsContext): void {
  if (pane.index === 0) takeOwn(row, pane, ctx);
  else if (pane.end === EVER) begin(row, pane, table, ctx);
  else end(row, pane, ctx);
}

function begin(
  row: unknown,
  { start, index }: Pane,
  table: TableKnowledge | undefined,
  ctx: RowsContext,
): void {
  if (table !== undefined && table.until > Math.max(start, EARLIEST)) {
    ctx.log.warn(
      `A row of the key ${JSON.stringify(ctx.key)} came after it was decided what the table had then; it counts once it changes.`,
    );
    return;
  }
  const rows = ctx.map('rows');
  // LK3: what earlier readings have found can be looked through as soon as this one is whole.
  for (const [from, those] of rows.entries())
    if (those.some((each) => each.end === EVER && each.index !== index))
      ctx.setTimer(`x${from}`, Math.max(start, EARLIEST) + 1);
  const beside = rows.get(start) ?? [];
  if (beside.some((each) => each.index === index && each.end === EVER && !sameData(each.row, row)))
    tellSeveral(ctx);
  rows.set(start, [...beside, { row, end: EVER, index }]);
  if (beside.length === 0) ctx.setTimer(`x${start}`, nextLook(start, ctx));
}

/** It has gone. One that is not here failed when it came. */
function end(row: unknown, { start, end: at, index }: Pane, ctx: RowsContext): void {
  const rows = ctx.map('rows');
  const beside = rows.get(start) ?? [];
  const gone = beside.findIndex(
    (each) => each.index === index && each.end === EVER && sameData(each.row, row),
  );
  if (gone < 0) return;
  // Of a reading that broke off: it stood for no time.
  if (at <= start) put(start, beside.toSpliced(gone, 1), ctx);
  else {
    put(start, beside.with(gone, { row, end: at, index }), ctx);
    ctx.setTimer(`x${start}`, at);
  }
}

function put(from: EventTime, rows: readonly Row[], ctx: RowsContext): void {
  if (rows.length > 0) {
    ctx.map('rows').set(from, rows);
    return;
  }
  ctx.map('rows').delete(from);
  ctx.clearTimer(`x${from}`);
}

/** A day on. Once the input has ended, behind whatever still waits: it is asked for in the order of time. */
function nextLook(time: EventTime, { watermark, now }: RowsContext): EventTime {
  return Math.min(Math.max(time, watermark ?? now) + DAY_MS, EVER);
}

/** LK3: rows that nobody asks for any more go; `time` is the watermark. */
export function forgetRows(
  from: EventTime,
  time: EventTime,
  table: TableKnowledge | undefined,
  ctx: RowsContext,
): void {
  const left = (ctx.map('rows').get(from) ?? []).filter(
    (row) => row.end > time && goneFrom(row, table) > time,
  );
  put(from, left, ctx);
  if (left.length > 0) ctx.setTimer(`x${from}`, Math.min(nextLook(time, ctx), ...left.map(({ end }) => end)));
}

/** A row that says until when it stands. */
function takeOwn(row: unknown, { start, end }: Pane, ctx: RowsContext): void {
  const rows = ctx.map('rows');
  let last: { readonly from: EventTime; readonly end: EventTime; readonly row: unknown } | undefined;
  for (const [from, [standing]] of rows.entries({ reverse: true, limit: 1 }))
    if (standing !== undefined) last = { from: Number(from), ...standing };
  if (last !== undefined && last.end >= end) {
    if (!sameData(last.row, row)) tellSeveral(ctx);
    return;
  }
  if (ctx.watermark !== undefined && ctx.watermark >= end) return;
  const stays = last !== undefined && last.end >= start && sameData(last.row, row);
  // What the last one has stood for it keeps.
  const from = stays && last !== undefined ? last.from : Math.max(start, last?.end ?? start);
  rows.set(from, [{ row, end }]);
  ctx.setTimer(`x${from}`, end);
}

function tellSeveral(ctx: RowsContext): void {
  ctx.log.warn(`The table has several rows for the key ${JSON.stringify(ctx.key)}; the first one counts.`);
}
