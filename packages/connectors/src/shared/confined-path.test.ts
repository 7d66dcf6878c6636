import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyParameters } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/contexts.ts';
import { openConfined } from './confined-path.ts';

/** A folder `p` with a neighbour, its own data, and a file. */
async function setUp(): Promise<string> {
  const root = await tempFolder();
  const folder = join(root, 'p');
  await mkdir(join(folder, '.millrace', 'data'), { recursive: true });
  await mkdir(join(root, 'p2'));
  await mkdir(join(folder, 'sub'));
  await writeFile(join(root, 'p2', 'secret'), 'secret');
  await writeFile(join(folder, '.millrace', 'data', 'hba.conf'), 'own');
  await writeFile(join(folder, 'in.jsonl'), '{}\n');
  return folder;
}

/** The path comes to a connector as a parameter of the run. */
function opened(folder: string, given: string, purpose: 'read' | 'create') {
  const { config } = applyParameters({ path: { param: 'file' } }, { file: given });
  return openConfined({ node: 'files', folder, path: String(config.path), purpose });
}

describe('openConfined, with a path from a parameter', () => {
  it.each([
    ['../p2/secret', /leaves the pipeline's folder/],
    ['sub/../../p2/secret', /leaves the pipeline's folder/],
    ['./sub/..', /leaves the pipeline's folder/],
    ['sub\\..\\..\\p2\\secret', /leaves the pipeline's folder/],
    ['in.jsonl\0.gz', /zero byte/],
    ['.', /it is a folder/],
    ['sub/', /it is a folder/],
    ['to-neighbour', /leads out of the pipeline's folder/],
    ['to-folder/secret', /leads out of the pipeline's folder/],
    ['to-self/../p2/secret', /leaves the pipeline's folder/],
    ['.millrace/data/hba.conf', /where Millrace keeps its own data/],
    ['./.millrace//data/hba.conf', /where Millrace keeps its own data/],
    ['to-own/data/hba.conf', /where Millrace keeps its own data/],
  ])('%j is neither read nor written', async (path, reason) => {
    const folder = await setUp();
    await symlink(join(folder, '..', 'p2', 'secret'), join(folder, 'to-neighbour'));
    await symlink('../p2', join(folder, 'to-folder'));
    await symlink('.', join(folder, 'to-self'));
    await symlink('.millrace', join(folder, 'to-own'));
    for (const purpose of ['read', 'create'] as const)
      await expect(opened(folder, path, purpose)).rejects.toThrow(reason);
    expect(await readFile(join(folder, '..', 'p2', 'secret'), 'utf8')).toBe('secret');
    expect(await readFile(join(folder, '.millrace', 'data', 'hba.conf'), 'utf8')).toBe('own');
  });

  it('makes nothing outside, in its own data, nor behind a link that leads nowhere', async () => {
    const folder = await setUp();
    await symlink('../p2/new', join(folder, 'to-new'));
    for (const path of ['../p2/new', 'to-new', '.millrace/new', '.millrace/data/new', '.Millrace/new'])
      await expect(opened(folder, path, 'create')).rejects.toThrow();
    expect(await readdir(join(folder, '..', 'p2'))).toEqual(['secret']);
    expect(await readdir(join(folder, '.millrace'))).toEqual(['data']);
  });

  it('opens what lies inside, also through links that stay inside and names that only look like "..", and a neighbour whose name begins like the folder’s is outside', async () => {
    const folder = await setUp();
    await symlink('in.jsonl', join(folder, 'inner'));
    await writeFile(join(folder, '..data'), '{}\n');
    await link(join(folder, 'in.jsonl'), join(folder, 'hard'));
    for (const path of ['in.jsonl', './in.jsonl', './/in.jsonl', 'inner', '..data', 'hard']) {
      const { handle } = await opened(folder, path, 'read');
      await handle.close();
    }
    await symlink('../p2', join(folder, 'p2'));
    await expect(opened(folder, 'p2/secret', 'read')).rejects.toThrow('leads out');
  });
});

describe('openConfined, behind the walls of a server', () => {
  /** `data/files/w` is the context's folder, `shared` one an admin listed. */
  async function server() {
    const root = await tempFolder();
    const at = (...parts: string[]) => join(root, ...parts);
    for (const folder of ['data/files/w', 'data/postgres', 'data/files/other', 'shared', 'home'])
      await mkdir(at(folder), { recursive: true });
    for (const file of ['data/secret.key', 'data/files/other/a', 'shared/a', 'home/a', 'data/files/w/a'])
      await writeFile(at(file), file);
    const walls = { folders: [at('shared')], own: at('data'), hosts: [] };
    const open = (path: string, purpose: 'read' | 'create', more: object = {}) =>
      openConfined({
        node: 'files',
        folder: at('data/files/w'),
        path,
        purpose,
        walls: { ...walls, ...more },
      });
    return { at, open };
  }

  it('takes what lies in the workspace’s folder, by any path, and in a folder an admin listed', async () => {
    const { at, open } = await server();
    for (const path of ['a', at('data/files/w/a'), at('shared/a'), at('home/../shared/a')])
      await (await open(path, 'read')).handle.close();
    await (await open(at('shared/new'), 'create')).handle.close();
    expect(await readdir(at('shared'))).toEqual(['a', 'new']);
  });

  it('neither reads nor makes anything elsewhere: other folders, Millrace’s data, other workspaces, links', async () => {
    const { at, open } = await server();
    await symlink(at('home'), at('shared/out'));
    await symlink(at('data/secret.key'), at('shared/key'));
    await symlink(at('home/new'), at('shared/to-new'));
    await symlink(at('data/secret.key'), at('data/files/w/key'));
    const targets = [
      ...[at('home/a'), at('home/new'), at('shared-not/a'), '/etc/passwd', '/proc/self/environ'],
      ...[at('shared/../home/a'), at('shared/out/a'), at('shared/out/new'), at('shared/to-new')],
      ...[at('data/secret.key'), at('data/files/other/a'), at('data/new'), at('shared/key')],
      ...[at('data/files/w/key'), 'key', '../other/a', at('data/files/w/../other/a')],
    ];
    for (const target of targets)
      for (const purpose of ['read', 'create'] as const)
        await expect(open(target, purpose), target).rejects.toThrow(/could not/);
    expect(await readdir(at('home'))).toEqual(['a']);
    expect(await readdir(at('data'))).toEqual(['files', 'postgres', 'secret.key']);
  });

  it('keeps Millrace’s own data its own, whatever folder an admin lists', async () => {
    const { at, open } = await server();
    for (const path of [at('data/secret.key'), at('data/files/other/a')])
      await expect(open(path, 'read', { folders: [at('.')] })).rejects.toThrow('its own data');
    await (await open(at('home/a'), 'read', { folders: [at('.')] })).handle.close();
  });

  it('control: without walls an absolute path has the rights of who runs it', async () => {
    const { at } = await server();
    const request = { node: 'files', folder: at('shared'), path: at('home/a'), purpose: 'read' as const };
    await (await openConfined(request)).handle.close();
  });
});
