/** Dead letters (P8): stored as JSON text, whose escapes keep U+0000 and lone surrogates. */
import { createHash } from 'node:crypto';
import type { DeadLetterRow } from '@millrace/engine';
import type pg from 'pg';
import { groupOf } from '../dead-letters/group-of.ts';
import { LIST_DEAD_LETTERS, RECORD_DEAD_LETTERS } from '../queries/record-dead-letters.ts';
import type { OpenedPipeline } from './opened.ts';
import { slices } from './slices.ts';

export async function recordDeadLetters(
  client: pg.Client,
  pipeline: OpenedPipeline,
  rows: readonly DeadLetterRow[],
): Promise<void> {
  for (const part of slices(rows, sizeOf)) {
    const groups = part.map(groupOf);
    await client.query(RECORD_DEAD_LETTERS, [
      pipeline.number,
      part.map((row) => createHash('sha256').update(row.id).digest('hex')),
      part.map((row) => row.node.replaceAll('\0', '\uFFFD')),
      part.map(({ redrive: _, ...row }) => JSON.stringify(row)),
      groups.map(({ hash }) => hash),
      groups.map(({ error }) => error),
      groups.map(({ place }) => place ?? null),
      // Escapes keep U+0000 and lone surrogates here as well.
      part.map(({ redrive }) => (redrive === undefined ? null : JSON.stringify(redrive))),
    ]);
  }
}

function sizeOf({ input, state, redrive }: DeadLetterRow): number {
  return input.length + (state?.length ?? 0) + (redrive === undefined ? 0 : sizeToRedrive(redrive));
}

function sizeToRedrive(redrive: NonNullable<DeadLetterRow['redrive']>): number {
  if ('bytes' in redrive) return redrive.bytes.length;
  return redrive.kind === 'timer'
    ? redrive.key.length + redrive.tag.length + redrive.armedBy.length
    : redrive.text.length;
}

export function deadLetters(pipeline: OpenedPipeline, limit: number): Promise<readonly DeadLetterRow[]> {
  return pipeline.connections.run(async ({ client }) => {
    const { rows } = await client.query<{ detail: string }>(LIST_DEAD_LETTERS, [pipeline.number, limit]);
    return rows.map((row) => letterOf(row.detail));
  });
}

/** JSON leaves out what is undefined; the row has every field. */
export function letterOf(text: string): DeadLetterRow {
  const row = JSON.parse(text) as DeadLetterRow;
  return { ...row, key: row.key, timestamp: row.timestamp, state: row.state };
}
