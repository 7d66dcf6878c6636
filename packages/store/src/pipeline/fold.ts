/**
 * Applies one step of the folder in one transaction under the host's lease. Everything in a batch is absolute
 * (post-images, keys), so running it again after a lost answer ends in the same rows.
 */
import type { CommitOutcome, FoldBatch, PageKey, PageRow } from '@millrace/engine';
import type pg from 'pg';
import { DELETE_PAGES } from '../queries/delete-pages.ts';
import { SET_FOLDED } from '../queries/fold-mark.ts';
import { DELETE_DELIVERED, INSERT_UNDELIVERED } from '../queries/undelivered.ts';
import { WRITE_PAGES } from '../queries/write-pages.ts';
import { transact } from '../sql/connections.ts';
import { recordDeadLetters } from './dead-letters.ts';
import { holdHost } from './leases.ts';
import type { OpenedPipeline } from './opened.ts';
import { hex, slices } from './slices.ts';

export function fold(
  pipeline: OpenedPipeline,
  hostSequencer: number,
  batch: FoldBatch,
): Promise<CommitOutcome> {
  return pipeline.connections.run((session) =>
    transact(session, async (client): Promise<CommitOutcome> => {
      if (!(await holdHost(client, pipeline, hostSequencer))) return 'fenced';
      await deletePages(client, pipeline, batch.deletes);
      await writePages(client, pipeline, batch);
      await recordDeadLetters(client, pipeline, batch.deadLetters);
      await moveUndelivered(client, pipeline, batch);
      await client.query(SET_FOLDED, [pipeline.number, batch.through]);
      return 'committed';
    }),
  );
}

async function writePages(client: pg.Client, pipeline: OpenedPipeline, batch: FoldBatch): Promise<void> {
  for (const pages of slices(batch.writes, (page: PageRow) => page.body.length + page.start.length)) {
    await client.query({
      name: 'write-pages',
      text: WRITE_PAGES,
      values: [
        pipeline.number,
        pages.map((page) => page.space),
        pages.map((page) => page.start.length),
        Buffer.concat(pages.map((page) => page.start)),
        pages.map((page) => page.body.length),
        Buffer.concat(pages.map((page) => page.body)),
        batch.through,
      ],
    });
  }
}

async function deletePages(
  client: pg.Client,
  pipeline: OpenedPipeline,
  keys: readonly PageKey[],
): Promise<void> {
  for (const part of slices(keys, (key) => key.start.length)) {
    const starts = part.map((key) => hex(key.start));
    await client.query(DELETE_PAGES, [pipeline.number, part.map((key) => key.space), starts]);
  }
}

async function moveUndelivered(client: pg.Client, pipeline: OpenedPipeline, batch: FoldBatch): Promise<void> {
  for (const rows of slices(batch.undelivered, (row) => row.body.length))
    await client.query(INSERT_UNDELIVERED, [
      pipeline.number,
      rows.map((row) => row.position),
      rows.map((row) => row.ordinal),
      rows.map((row) => row.body.length),
      Buffer.concat(rows.map((row) => row.body)),
    ]);
  for (const rows of slices(batch.delivered, () => 0))
    await client.query(DELETE_DELIVERED, [
      pipeline.number,
      rows.map((row) => row.position),
      rows.map((row) => row.ordinal),
    ]);
}
