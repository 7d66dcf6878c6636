import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownFolder } from './own-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-own-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the folder .millrace', () => {
  it('is made, and taken when it is there', async () => {
    expect(await ownFolder(root, 'data')).toBe(join(root, '.millrace/data'));
    expect(await ownFolder(root, 'data')).toBe(join(root, '.millrace/data'));
  });

  it('is refused where it is a link or a file', async () => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, '.millrace'));
    await expect(ownFolder(root)).rejects.toThrow('not a folder of its own');
    rmSync(join(root, '.millrace'));
    writeFileSync(join(root, '.millrace'), '');
    await expect(ownFolder(root, 'data')).rejects.toThrow('not a folder of its own');
  });
});
