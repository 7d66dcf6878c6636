/** Finds or makes a pipeline's row, its log segments and its host lease. */
import { INSERT_HOST_LEASE } from '../queries/claim-host.ts';
import { SEGMENTS } from '../queries/leaf.ts';
import { makeSegment } from '../queries/make-segment.ts';
import { FIND_PIPELINE, INSERT_PIPELINE, SELECT_PIPELINE } from '../queries/open-pipeline.ts';
import { type Connections, transact } from '../sql/connections.ts';
import type { Faults, OpenedPipeline } from './opened.ts';

export function openPipeline(id: string, connections: Connections, faults: Faults): Promise<OpenedPipeline> {
  return connections.run((session) =>
    transact(session, async (client) => {
      await client.query(INSERT_PIPELINE, [id]);
      const { rows } = await client.query<{ number: number; current_segment: number }>(SELECT_PIPELINE, [id]);
      const { number, current_segment: segment } = rows[0]!;
      const lease = await client.query(INSERT_HOST_LEASE, [number]);
      if (lease.rowCount === 1) for (let i = 0; i < SEGMENTS; i++) await client.query(makeSegment(number, i));
      return { id, number, segment, connections, faults, hostSequencer: undefined };
    }),
  );
}

/** A pipeline somebody else has opened; nothing is made and nothing is locked. */
export async function findPipeline(
  id: string,
  connections: Connections,
  faults: Faults,
): Promise<OpenedPipeline | undefined> {
  const { rows } = await connections.run(({ client }) =>
    client.query<{ number: number; current_segment: number }>(FIND_PIPELINE, [id]),
  );
  const row = rows[0];
  return (
    row && {
      id,
      number: row.number,
      segment: row.current_segment,
      connections,
      faults,
      hostSequencer: undefined,
    }
  );
}
