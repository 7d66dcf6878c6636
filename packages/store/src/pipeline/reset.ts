/** Forgets everything but the versions. Positions go on from the last one: they are parts of record ids. */
import { FencedError } from '../errors.ts';
import { lastPosition } from '../queries/last-position.ts';
import { SEGMENTS } from '../queries/leaf.ts';
import { truncateSegment } from '../queries/release-log.ts';
import { RESET, RESET_MARKS } from '../queries/reset.ts';
import { transact } from '../sql/connections.ts';
import { holdHost } from './leases.ts';
import type { OpenedPipeline } from './opened.ts';

export function reset(pipeline: OpenedPipeline, hostSequencer: number): Promise<void> {
  const { number } = pipeline;
  return pipeline.connections.run((session) =>
    transact(session, async (client) => {
      if (!(await holdHost(client, pipeline, hostSequencer)))
        throw new FencedError(`Resetting pipeline ${pipeline.id}`);
      const { rows } = await client.query<{ position: string | null }>(lastPosition(number), [number]);
      for (const text of RESET) await client.query(text, [number]);
      for (let segment = 0; segment < SEGMENTS; segment++)
        await client.query(truncateSegment(number, segment));
      await client.query(RESET_MARKS, [number, Number(rows[0]?.position ?? 0)]);
    }),
  );
}
