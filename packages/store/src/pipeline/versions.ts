/** Immutable versions of a pipeline, and which one runs (Y3). */
import { createHash } from 'node:crypto';
import type { CommitOutcome, PipelineStore, StoredVersion } from '@millrace/engine';
import {
  ACTIVATE_VERSION,
  CURRENT_VERSION,
  FIND_VERSION,
  GET_VERSION,
  INSERT_VERSION,
  LOCK_PIPELINE,
} from '../queries/versions.ts';
import { transact } from '../sql/connections.ts';
import { holdHost } from './leases.ts';
import type { OpenedPipeline } from './opened.ts';

interface VersionRow {
  number: number;
  hash: Buffer;
  folder: Buffer;
  plan: Buffer;
  bundle: Buffer;
  sdk_version: Buffer;
}

export function versions(pipeline: OpenedPipeline): PipelineStore['versions'] {
  const read = (text: string, values: readonly unknown[]) =>
    pipeline.connections.run(async ({ client }) => {
      const { rows } = await client.query<VersionRow>(text, [...values]);
      return rows[0] && toVersion(rows[0]);
    });
  return {
    current: () => read(CURRENT_VERSION, [pipeline.number]),
    get: (number) => read(GET_VERSION, [pipeline.number, number]),
    save: (version) => save(pipeline, version),
    activate: (hostSequencer, number) => activate(pipeline, hostSequencer, number),
  };
}

function save(pipeline: OpenedPipeline, version: Omit<StoredVersion, 'number'>): Promise<number> {
  const content = contentHash([version.hash, version.plan, version.bundle]);
  return pipeline.connections.run((session) =>
    transact(session, async (client) => {
      await client.query(LOCK_PIPELINE, [pipeline.number]);
      const found = await client.query<{ number: number }>(FIND_VERSION, [pipeline.number, content]);
      if (found.rows[0]) return found.rows[0].number;
      const { hash, folder, plan, bundle, sdkVersion } = version;
      const made = await client.query<{ number: number }>(INSERT_VERSION, [
        pipeline.number,
        content,
        ...[hash, folder, plan, bundle, sdkVersion].map((text) => Buffer.from(text, 'utf8')),
      ]);
      return made.rows[0]!.number;
    }),
  );
}

function activate(pipeline: OpenedPipeline, hostSequencer: number, number: number): Promise<CommitOutcome> {
  return pipeline.connections.run((session) =>
    transact(session, async (client): Promise<CommitOutcome> => {
      if (!(await holdHost(client, pipeline, hostSequencer))) return 'fenced';
      await client.query(ACTIVATE_VERSION, [pipeline.number, number]);
      return 'committed';
    }),
  );
}

/** Versions of equal content are one version. */
export function contentHash(parts: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = Buffer.from(part, 'utf8');
    // The length keeps the parts apart.
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest();
}

function toVersion(row: VersionRow): StoredVersion {
  const text = (bytes: Buffer) => bytes.toString('utf8');
  return {
    number: row.number,
    hash: text(row.hash),
    folder: text(row.folder),
    plan: text(row.plan),
    bundle: text(row.bundle),
    sdkVersion: text(row.sdk_version),
  };
}
