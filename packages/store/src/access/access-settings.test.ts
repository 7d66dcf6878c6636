import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { accessStore } from './access-settings.ts';

describe('access settings', () => {
  const folder = dataFolder();
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: folder.path }, () => undefined);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  it('nothing is allowed until somebody allows it, and two who change it at once do not overwrite each other', async () => {
    const access = accessStore(store.database);
    const settings = { folders: ['/srv/in'], hosts: ['wiki.internal:443'] };
    expect(await access.read('w_1')).toEqual({ folders: [], hosts: [], version: 0 });
    expect(await access.write('w_1', settings, { actor: 'a', ifVersion: 0 })).toMatchObject({ version: 1 });
    expect(await access.write('w_1', settings, { actor: 'b', ifVersion: 0 })).toBe('changed');
    expect(await access.write('w_1', { folders: [], hosts: [] }, { actor: 'b', ifVersion: 1 })).toEqual({
      folders: [],
      hosts: [],
      version: 2,
    });
    expect(await access.write('w_1', settings, { actor: 'a', ifVersion: 1 })).toBe('changed');
    expect(await access.read('w_1')).toEqual({ folders: [], hosts: [], version: 2 });
    expect(await access.read('w_2')).toMatchObject({ version: 0 });
  });
});
