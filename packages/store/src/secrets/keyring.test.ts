import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeyring } from './keyring.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'millrace-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const file = () => path.join(dataDir, 'secret.key');
const opened = (env: Record<string, string> = {}) => openKeyring({ dataDir, env });
const hex = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

describe('the keyring', () => {
  it('makes a key on first use, for its owner’s eyes only, and finds it again', async () => {
    const first = await opened();
    expect(first.current.bytes).toHaveLength(32);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(Buffer.from((await opened()).current.bytes)).toEqual(first.current.bytes);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  });

  it('two processes that make it at once go on with the same one', async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => opened()));
    const ids = new Set(rings.map(({ current }) => Buffer.from(current.id).toString('hex')));
    expect(ids.size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  });

  it('closes to others a file that a restore left open', async () => {
    await opened();
    await chmod(file(), 0o644);
    await opened();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('takes the variable before the file, and leaves no file then', async () => {
    const ring = await opened({ MILLRACE_SECRET_KEY: hex });
    expect(Buffer.from(ring.current.bytes).toString('hex')).toBe(hex);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('the newest key stands first, older ones are still found', async () => {
    await opened();
    const old = (await opened()).current;
    await writeFile(file(), `# new\n${hex}\n${await readFile(file(), 'utf8')}`);
    const ring = await opened();
    expect(Buffer.from(ring.current.bytes).toString('hex')).toBe(hex);
    expect(Buffer.from(ring.find(old.id)?.bytes ?? [])).toEqual(Buffer.from(old.bytes));
    expect(ring.find(new Uint8Array(8))).toBeUndefined();
  });

  it.each(['hunter2-hunter2', '', 'x'.repeat(43), `${hex}00`, '\n'])(
    'what is no key is refused without being repeated: %j',
    async (text) => {
      await writeFile(file(), text);
      const error = await opened().then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      // Forty-three letters are a key, if a foolish one.
      if (text.length === 43) return expect(error).toBeUndefined();
      expect(error?.message).toContain('32 bytes as base64 or hex');
      if (text.trim() !== '') expect(error?.message).not.toContain(text);
    },
  );
});
