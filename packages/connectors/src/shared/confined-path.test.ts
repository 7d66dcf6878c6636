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
