import { describe, expect, it } from 'vitest';
import { flights, folderOf } from '../../test/fixture.ts';
import { readFolder } from '../read/read-folder.ts';
import { hashFolder, hashProgram } from './hash.ts';
import { writeFolder } from './write-folder.ts';

describe('writeFolder', () => {
  it('reading what was written gives the same pipeline, and writing it again the same bytes', () => {
    const folder = readFolder(folderOf(flights()));
    const once = writeFolder(folder.pipeline, folder.files);
    const again = readFolder(once);
    expect(again.issues).toEqual([]);
    expect(again.pipeline).toEqual(folder.pipeline);
    expect([...writeFolder(again.pipeline, again.files)]).toEqual([...once]);
  });

  it('line ends, key order and spelled-out defaults do not change the hash', async () => {
    const other = flights();
    Object.assign(other.nodes.n_count as object, { exactlyOnce: true, productions: 'strong' });
    const reversed = Object.fromEntries(Object.entries(other).reverse());
    const a = readFolder(folderOf(flights(), 'a\nb\n'));
    const b = readFolder(folderOf(JSON.stringify(reversed), '\ufeffa\r\nb'));
    const hashes = [a, b].map(({ pipeline, files }) => hashFolder(writeFolder(pipeline, files)));
    expect(await hashes[0]).toBe(await hashes[1]);
    expect(await hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('what an engine never reads does not change the hash of the program', async () => {
    const plain = folderOf(flights());
    const moved = new Map([...plain, ['layout.json', '{"n_count": [1, 2]}']]);
    expect(await hashProgram(plain)).toBe(await hashProgram(moved));
    expect(await hashFolder(plain)).not.toBe(await hashFolder(moved));
  });

  it('a file that does not belong to a pipeline is left out', () => {
    const folder = readFolder(
      new Map([...folderOf(flights()), ['../evil.ts', 'x'], ['data.csv', 'x'], ['lib/../x.ts', 'x']]),
    );
    expect([...folder.files.keys()]).toEqual(['pipeline.json', 'nodes/count-by-hour.ts']);
  });
});
