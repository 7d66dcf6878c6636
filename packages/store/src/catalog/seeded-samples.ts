/** Which samples a workspace was given, so that a deleted one does not come back. */
import type { Connections } from '../sql/connections.ts';

export interface SeededSample {
  readonly pipeline: string;
  /** Of the folder and the code it was built with: another hash is a newer sample. */
  readonly contentHash: string;
}

export interface SeededSamples {
  get(workspace: string, sample: string): Promise<SeededSample | undefined>;
  note(workspace: string, sample: string, seeded: SeededSample): Promise<void>;
}

/** $1 workspace, $2 sample. */
const GET_SEEDED = `
select pipeline, content_hash as "contentHash" from millrace.seeded_samples where workspace = $1 and sample = $2`;

/** $1 workspace, $2 sample, $3 pipeline, $4 content hash. */
const NOTE_SEEDED = `
insert into millrace.seeded_samples (workspace, sample, pipeline, content_hash) values ($1, $2, $3, $4)
on conflict (workspace, sample) do update set pipeline = $3, content_hash = $4, seeded_at = now()`;

export function seededSamples(connections: Connections): SeededSamples {
  return {
    get: (workspace, sample) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<SeededSample>(GET_SEEDED, [workspace, sample]);
        return rows[0];
      }),
    note: (workspace, sample, { pipeline, contentHash }) =>
      connections.run(async ({ client }) => {
        await client.query(NOTE_SEEDED, [workspace, sample, pipeline, contentHash]);
      }),
  };
}
