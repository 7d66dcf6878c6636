import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderLimits, readFolderFromDisk } from './read-folder-from-disk.ts';

let top: string;
let folder: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'millrace-folder-'));
  folder = join(top, 'pipeline');
  for (const name of ['nodes', 'lib', 'tests']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'pipeline.json'), '{}');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const messages = async () => (await readFolderFromDisk(folder)).issues.map((issue) => issue.message);

describe('reading a pipeline folder', () => {
  it('takes what belongs to a pipeline and nothing else', async () => {
    for (const path of [
      'nodes/a.ts',
      'nodes/a.js',
      'lib/b.ts',
      'tests/c.json',
      'layout.json',
      'data.jsonl',
    ]) {
      writeFileSync(join(folder, path), `// ${path}`);
    }
    mkdirSync(join(folder, 'lib/deep'));
    writeFileSync(join(folder, 'lib/deep/d.ts'), '// ü');
    const { files, issues } = await readFolderFromDisk(folder);
    expect(issues).toEqual([]);
    expect([...files.keys()].sort()).toEqual([
      'layout.json',
      'lib/b.ts',
      'lib/deep/d.ts',
      'nodes/a.ts',
      'pipeline.json',
      'tests/c.json',
    ]);
    expect(files.get('lib/deep/d.ts')).toBe('// ü');
  });

  it('refuses links that lead out of the folder, to files and to folders, and takes those that stay', async () => {
    writeFileSync(join(top, 'secret.ts'), 'secret');
    writeFileSync(join(folder, 'lib/b.ts'), 'b');
    mkdirSync(join(top, 'other'));
    symlinkSync(join(top, 'secret.ts'), join(folder, 'nodes/out.ts'));
    symlinkSync(join(folder, 'lib/b.ts'), join(folder, 'nodes/in.ts'));
    rmSync(join(folder, 'tests'), { recursive: true });
    symlinkSync(join(top, 'other'), join(folder, 'tests'));
    const { files, issues } = await readFolderFromDisk(folder);
    expect(files.has('nodes/out.ts')).toBe(false);
    expect(files.get('nodes/in.ts')).toBe('b');
    expect(issues.map((issue) => issue.file)).toEqual(['nodes/out.ts', 'tests']);
    expect(issues[0]?.message).toContain('leads out of the pipeline folder');
  });

  it('names a link to nowhere and one in a circle', async () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'nodes/gone.ts'));
    symlinkSync(join(folder, 'nodes/round.ts'), join(folder, 'nodes/round.ts'));
    expect(await messages()).toEqual([
      'nodes/gone.ts cannot be read: there is no such file or folder.',
      'nodes/round.ts cannot be read: its links go round in a circle.',
    ]);
  });

  it('does not read a FIFO, a folder named like a file, a file too large, or bytes that are not UTF-8', async () => {
    execFileSync('mkfifo', [join(folder, 'nodes/a.ts')]);
    mkdirSync(join(folder, 'nodes/b.ts'));
    writeFileSync(join(folder, 'nodes/c.ts'), '');
    truncateSync(join(folder, 'nodes/c.ts'), folderLimits.fileBytes + 1);
    writeFileSync(join(folder, 'nodes/d.ts'), Uint8Array.of(0xff, 0xfe, 0x00));
    const found = await messages();
    expect(found).toHaveLength(3);
    expect(found[0]).toContain('nodes/a.ts is not a regular file');
    expect(found[1]).toContain('nodes/c.ts has 4194305 bytes');
    expect(found[2]).toContain('nodes/d.ts is not UTF-8');
  });

  it('stops at the limit of the whole folder', async () => {
    for (let at = 0; at < 9; at++) {
      writeFileSync(join(folder, `lib/${at}.ts`), '');
      truncateSync(join(folder, `lib/${at}.ts`), folderLimits.fileBytes);
    }
    expect((await messages()).length).toBeGreaterThan(0);
  });

  it('throws for a folder that is not there', async () => {
    await expect(readFolderFromDisk(join(top, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});
