/** Reads folded state. */
import type { PageKey, PageRow, UndeliveredRow } from '@millrace/engine';
import { GET_FOLDED } from '../queries/fold-mark.ts';
import { PAGE_DIRECTORY } from '../queries/page-directory.ts';
import { readPages as readPagesText } from '../queries/read-pages.ts';
import { LIST_UNDELIVERED } from '../queries/undelivered.ts';
import { copyOut } from '../sql/copy-out.ts';
import type { OpenedPipeline } from './opened.ts';
import { hex } from './slices.ts';

/** Bounds one answer: pages are a few kB, but a page may hold one huge value. */
const READ_ROWS = 1_000;

export function foldedThrough(pipeline: OpenedPipeline): Promise<number> {
  return pipeline.connections.run(async ({ client }) => {
    const { rows } = await client.query<{ folded_through: string }>(GET_FOLDED, [pipeline.number]);
    return Number(rows[0]?.folded_through ?? 0);
  });
}

export function pageDirectory(pipeline: OpenedPipeline): Promise<readonly PageKey[]> {
  return pipeline.connections.run(async ({ client }) => {
    const { rows } = await client.query<{ space: string; start: Buffer }>(PAGE_DIRECTORY, [pipeline.number]);
    return rows.map((row) => ({ space: Number(row.space), start: row.start }));
  });
}

export async function readPages(
  pipeline: OpenedPipeline,
  space: number,
  starts: readonly Uint8Array[],
): Promise<readonly PageRow[]> {
  const pages: PageRow[] = [];
  for (let at = 0; at < starts.length; at += READ_ROWS) {
    const part = starts.slice(at, at + READ_ROWS).map(hex);
    const text = readPagesText(pipeline.number, space, part);
    const rows = await pipeline.connections.run((session) => copyOut(session, text));
    for (const [start, body] of rows) pages.push({ space, start: start!, body: body! });
  }
  return pages;
}

export function undelivered(pipeline: OpenedPipeline): Promise<readonly UndeliveredRow[]> {
  return pipeline.connections.run(async ({ client }) => {
    const { rows } = await client.query<{ position: string; ordinal: string; body: Buffer }>(
      LIST_UNDELIVERED,
      [pipeline.number],
    );
    return rows.map((row) => ({
      position: Number(row.position),
      ordinal: Number(row.ordinal),
      body: row.body,
    }));
  });
}
