/** Claims: every one mints a sequencer and fences what came before it (P6). */
import type pg from 'pg';
import { FencedError } from '../errors.ts';
import { CLAIM_ALL, LOCK_LEASES } from '../queries/claim-host.ts';
import { CLAIM_WORKER } from '../queries/claim-worker.ts';
import { HOLD_HOST_LEASE } from '../queries/hold-host-lease.ts';
import { GET_CURRENT_SEGMENT } from '../queries/release-log.ts';
import { transact } from '../sql/connections.ts';
import { HOST_SLOT, type OpenedPipeline } from './opened.ts';

/** A lost answer leads to one more claim: sequencers may skip numbers, never repeat them. */
export async function claimHost(pipeline: OpenedPipeline): Promise<number> {
  const claimed = await pipeline.connections.run((session) =>
    transact(session, async (client) => {
      await client.query(LOCK_LEASES, [pipeline.number]);
      const { rows } = await client.query<{ slot: number; sequencer: string }>(CLAIM_ALL, [pipeline.number]);
      const current = await client.query<{ current_segment: number }>(GET_CURRENT_SEGMENT, [pipeline.number]);
      const host = rows.find((row) => row.slot === HOST_SLOT)!;
      return { sequencer: Number(host.sequencer), segment: current.rows[0]!.current_segment };
    }),
  );
  pipeline.hostSequencer = claimed.sequencer;
  pipeline.segment = claimed.segment;
  return claimed.sequencer;
}

/** Refused once another host has claimed the pipeline. */
export function claimWorker(pipeline: OpenedPipeline, slot: number): Promise<number> {
  return pipeline.connections.run((session) =>
    transact(session, async (client) => {
      if (pipeline.hostSequencer !== undefined && !(await holdHost(client, pipeline, pipeline.hostSequencer)))
        throw new FencedError(`The claim of worker slot ${slot} of pipeline ${pipeline.id}`);
      const { rows } = await client.query<{ sequencer: string }>(CLAIM_WORKER, [pipeline.number, slot]);
      return Number(rows[0]!.sequencer);
    }),
  );
}

/** Locks the host's lease to the end of the transaction; false when it is no longer this host's. */
export async function holdHost(
  client: pg.Client,
  pipeline: OpenedPipeline,
  sequencer: number,
): Promise<boolean> {
  const { rowCount } = await client.query(HOLD_HOST_LEASE, [pipeline.number, sequencer]);
  return rowCount === 1;
}
