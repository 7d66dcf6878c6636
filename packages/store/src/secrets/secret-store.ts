/**
 * Secrets of a workspace: written by an admin, read by nobody but the engine host.
 *
 * Invariants
 *   - A value reaches Postgres as ciphertext only.
 *   - Nothing here but `resolve` gives a value, and no error says one.
 * Not handled: somebody with the key and the database has everything.
 */
import { StoreError } from '../errors.ts';
import {
  DELETE_SECRET,
  DEPLOYED_PLANS,
  GET_SECRET,
  LIST_SECRETS,
  NEXT_SECRET_VERSION,
  PUT_SECRET,
  RESEAL_SECRET,
  SECRETS_OF_OTHER_KEYS,
} from '../queries/secrets.ts';
import type { Database, Sql } from '../sql/database.ts';
import type { Keyring } from './keyring.ts';
import { openSecret, sealSecret } from './secret-box.ts';

export interface SecretEntry {
  readonly name: string;
  readonly version: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export interface SecretStore {
  list(workspace: string): Promise<readonly SecretEntry[]>;
  /** Returns the version it now has. */
  put(secret: {
    readonly workspace: string;
    readonly name: string;
    readonly value: string;
    readonly actor: string;
    /** Runs in the same transaction: the audit log. */
    readonly also?: (sql: Sql) => Promise<void>;
  }): Promise<number>;
  delete(workspace: string, name: string, also?: (sql: Sql) => Promise<void>): Promise<'deleted' | 'absent'>;
  /** For the engine host only. A secret that is not there or cannot be opened is a `StoreError` that says what to do. */
  resolve(workspace: string, name: string): Promise<string>;
  /** Seals with the first key what older keys sealed; how many, and how many no key opens. */
  rotate(): Promise<{ readonly resealed: number; readonly unopened: number }>;
  /** `plan` (JSON text) of each deployed version, to see which secrets it names. */
  deployedPlans(
    workspace: string,
  ): Promise<readonly { readonly pipeline: string; readonly name: string; readonly plan: string }[]>;
}

interface SealedRow {
  readonly version: string;
  readonly key_id: Buffer;
  readonly nonce: Buffer;
  readonly sealed: Buffer;
}

/** `keyring` is asked for when it is first needed: a server without secrets makes no key. */
export function secretStore(database: Database, keyring: () => Promise<Keyring>): SecretStore {
  return {
    list: (workspace) => list(database, workspace),
    async put({ workspace, name, value, actor, also }) {
      const { current } = await keyring();
      const [next] = await database.rows<{ version: string }>(NEXT_SECRET_VERSION);
      const version = next?.version ?? '';
      const { nonce, sealed } = sealSecret(current.bytes, { workspace, name, version }, value);
      await database.transact(async (sql) => {
        await sql.change(PUT_SECRET, [workspace, name, version, current.id, nonce, sealed, actor]);
        await also?.(sql);
      });
      return Number(version);
    },
    delete: (workspace, name, also) =>
      database.transact(async (sql) => {
        if ((await sql.change(DELETE_SECRET, [workspace, name])) === 0) return 'absent';
        await also?.(sql);
        return 'deleted';
      }),
    async resolve(workspace, name) {
      const [row] = await database.rows<SealedRow>(GET_SECRET, [workspace, name]);
      if (row === undefined) throw absent(name);
      return open(await keyring(), { workspace, name, version: row.version }, row);
    },
    rotate: async () => rotate(database, keyring),
    deployedPlans: (workspace) => database.rows(DEPLOYED_PLANS, [workspace]),
  };
}

async function list(database: Database, workspace: string): Promise<readonly SecretEntry[]> {
  const rows = await database.rows<{ name: string; version: string; updated_at: Date; updated_by: string }>(
    LIST_SECRETS,
    [workspace],
  );
  return rows.map(({ name, version, updated_at, updated_by }) => ({
    name,
    version: Number(version),
    updatedAt: updated_at,
    updatedBy: updated_by,
  }));
}

function open(
  keyring: Keyring,
  label: { workspace: string; name: string; version: string },
  row: SealedRow,
): string {
  const key = keyring.find(row.key_id);
  if (key === undefined)
    throw sealedElsewhere(
      label.name,
      'it was sealed with another key. Give that key again (secret.key or MILLRACE_SECRET_KEY), or write the secret anew.',
    );
  const value = openSecret(key.bytes, label, row);
  if (value === undefined)
    throw sealedElsewhere(label.name, 'its row was changed from outside. Write the secret anew.');
  return value;
}

async function rotate(database: Database, keyring: () => Promise<Keyring>) {
  const counts = { resealed: 0, unopened: 0 };
  const any = await database.rows<{ any: boolean }>('select exists (select from millrace.secrets) as any');
  if (any[0]?.any !== true) return counts;
  const keys = await keyring();
  const { current } = keys;
  type Row = SealedRow & { workspace: string; name: string };
  for (const row of await database.rows<Row>(SECRETS_OF_OTHER_KEYS, [current.id])) {
    const key = keys.find(row.key_id);
    const value = key && openSecret(key.bytes, row, row);
    if (value === undefined) {
      counts.unopened++;
      continue;
    }
    const { nonce, sealed } = sealSecret(current.bytes, row, value);
    const { workspace, name, version } = row;
    await database.change(RESEAL_SECRET, [workspace, name, version, current.id, nonce, sealed]);
    counts.resealed++;
  }
  return counts;
}

function absent(name: string): StoreError {
  return new StoreError(
    'secret-absent',
    `The secret "${name}" is not set: write it in the settings, or correct the name.`,
    { domain: 'user' },
  );
}

function sealedElsewhere(name: string, why: string): StoreError {
  return new StoreError('secret-sealed', `The secret "${name}" cannot be opened: ${why}`, { domain: 'user' });
}
