import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { openKeyring } from './keyring.ts';
import { secretStore } from './secret-store.ts';

const workspace = 'w_default';
const CANARY = 'canary-5e1f-"quoted"\n☃';

describe('secrets', () => {
  const folder = dataFolder();
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: folder.path }, () => undefined);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  const keyring = () => openKeyring({ dataDir: folder.path, env: {} });
  const secrets = () => secretStore(store.database, keyring);
  const put = (name: string, value: string) => secrets().put({ workspace, name, value, actor: 'a_1' });

  it('gives a value to who resolves it, and to no list', async () => {
    await put('crm', CANARY);
    expect(await secrets().resolve(workspace, 'crm')).toBe(CANARY);
    const listed = await secrets().list(workspace);
    expect(listed).toMatchObject([{ name: 'crm', updatedBy: 'a_1' }]);
    expect(JSON.stringify(listed)).not.toContain('canary');
  });

  it('a value lies in the database as ciphertext only', async () => {
    await put('crm', CANARY);
    const [row] = await store.query('select s::text as text, sealed from millrace.secrets s');
    expect(String(row?.text)).not.toContain(Buffer.from('canary').toString('hex'));
    expect(Buffer.from(row?.sealed as Buffer).includes('canary')).toBe(false);
  });

  it('a newer value takes the place of the older, under a version never used before', async () => {
    const first = await put('twice', 'a');
    const second = await put('twice', 'b');
    expect(second).toBeGreaterThan(first);
    expect(await secrets().delete(workspace, 'twice')).toBe('deleted');
    expect(await secrets().delete(workspace, 'twice')).toBe('absent');
    expect(await put('twice', 'c')).toBeGreaterThan(second);
    expect(await secrets().resolve(workspace, 'twice')).toBe('c');
  });

  it('a ciphertext opens under its own name, workspace and version only', async () => {
    await put('mine', 'a');
    await put('other', 'b');
    const move = `insert into millrace.secrets select $1, $2, version, key_id, nonce, sealed, now(), ''
       from millrace.secrets where name = 'mine' on conflict (workspace, name) do update
       set version = excluded.version, nonce = excluded.nonce, sealed = excluded.sealed`;
    await store.query(move, [workspace, 'other']);
    await store.query(move, ['w_other', 'mine']);
    await expect(secrets().resolve(workspace, 'other')).rejects.toThrow('changed from outside');
    await expect(secrets().resolve('w_other', 'mine')).rejects.toThrow('changed from outside');
    await store.query(`update millrace.secrets set version = version + 1 where name = 'mine'`);
    await expect(secrets().resolve(workspace, 'mine')).rejects.toThrow('changed from outside');
  });

  it('one that is not there, or was sealed with another key, says what to do', async () => {
    await put('kept', 'a');
    const stranger = secretStore(store.database, () =>
      openKeyring({ dataDir: folder.path, env: { MILLRACE_SECRET_KEY: randomBytes(32).toString('base64') } }),
    );
    await expect(stranger.resolve(workspace, 'kept')).rejects.toThrow('sealed with another key');
    await expect(secrets().resolve(workspace, 'nothing')).rejects.toThrow('is not set');
    await expect(secrets().resolve('w_other', 'kept')).rejects.toThrow('is not set');
  });

  it('rotation: a new key in front seals everything anew, and the old key can go', async () => {
    await store.query('delete from millrace.secrets');
    await put('a', 'one');
    await put('b', 'two');
    const old = await openKeyring({ dataDir: folder.path, env: {} });
    const fresh = randomBytes(32).toString('base64');
    await writeFile(
      path.join(folder.path, 'secret.key'),
      `${fresh}\n${Buffer.from(old.current.bytes).toString('base64')}\n`,
    );
    expect(await secrets().rotate()).toEqual({ resealed: 2, unopened: 0 });
    expect(await secrets().rotate()).toEqual({ resealed: 0, unopened: 0 });
    await writeFile(path.join(folder.path, 'secret.key'), `${fresh}\n`);
    expect(await secrets().resolve(workspace, 'a')).toBe('one');
    expect(await secrets().resolve(workspace, 'b')).toBe('two');
  });

  it('where there are no secrets no key is made', async () => {
    await store.query('delete from millrace.secrets');
    const never = secretStore(store.database, () => Promise.reject(new Error('asked for the key')));
    expect(await never.rotate()).toEqual({ resealed: 0, unopened: 0 });
    expect(await never.list(workspace)).toEqual([]);
  });
});
