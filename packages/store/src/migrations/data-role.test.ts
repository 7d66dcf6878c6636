import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store, type StoreAddress } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';

describe('role millrace_data', () => {
  const folder = dataFolder();
  let owner: Store;
  let address: StoreAddress;
  beforeAll(async () => {
    owner = await openStore({ dataDir: folder.path }, () => undefined);
    address = await owner.address();
    await owner.query('create role stronger');
    await owner.query('create role guest login');
    await owner.query('create database shared');
    await owner.query('grant all on database shared to guest');
  });
  afterAll(async () => {
    await owner.close();
    await folder.remove();
  });
  beforeEach(() =>
    owner.query('alter role millrace_data nosuperuser nocreaterole; revoke stronger from millrace_data'),
  );

  async function again(place: StoreAddress = address): Promise<Store['dataRole']> {
    const store = await openStore(place, () => undefined);
    await store.close();
    return store.dataRole;
  }

  it('is ready where it is ours to make, and stays so', async () => {
    expect(owner.dataRole).toEqual({ kind: 'ready' });
    expect(await again()).toEqual({ kind: 'ready' });
  });

  it.each([
    ['alter role millrace_data superuser', 'rights over the whole server'],
    ['alter role millrace_data createrole', 'rights over the whole server'],
    ['grant stronger to millrace_data', 'a member of stronger'],
  ])('is not trusted after "%s"', async (change, reason) => {
    await owner.query(change);
    expect(await again()).toMatchObject({ kind: 'off', reason: expect.stringContaining(reason) });
  });

  it('may use our schema no longer once it is opened again, whoever granted it', async () => {
    await owner.query('grant usage on schema millrace to public, millrace_data');
    expect(await again()).toEqual({ kind: 'ready' });
    const rights = `select has_schema_privilege('millrace_data', 'millrace', 'usage') as reaches`;
    expect(await owner.query(rights)).toEqual([{ reaches: false }]);
  });

  it('a user without the right to create roles has none, and a server’s sinks are off with the reason', async () => {
    const { socketFolder, port } = address as { socketFolder: string; port: number };
    const url = `postgres://guest@localhost:${port}/shared?host=${encodeURIComponent(socketFolder)}`;
    const store = await openStore({ url }, () => undefined);
    try {
      expect(store.dataRole.kind).toBe('off');
      const pipeline = await store.pipeline('p_1');
      const host = await pipeline.claimHost();
      const connector = {
        ...{ nodeId: 'n_1', nodeName: 'out', folder: '/', secret: async () => '', now: Date.now },
      };
      const mark = { through: 1, detail: {} };
      const wrote: string[] = [];
      const write = async () => void wrote.push('written');
      const walled = store.sinkContext('p_1', host, {
        ...connector,
        walls: { folders: [], own: undefined, hosts: [] },
      });
      await expect(walled.commit(mark, [], write)).rejects.toThrow(
        /Node "out" could not write to its table: .* is not available \(.*Give DATABASE_URL a user that may create roles/,
      );
      expect(wrote).toEqual([]);
      expect(await walled.mark()).toBeUndefined();
      // A sink elsewhere needs no role; and who runs a pipeline by hand has their own rights.
      await walled.commit(mark, []);
      await store.sinkContext('p_1', host, connector).commit({ ...mark, through: 2 }, [], write);
      expect(wrote).toEqual(['written']);
    } finally {
      await store.close();
    }
  });
});
