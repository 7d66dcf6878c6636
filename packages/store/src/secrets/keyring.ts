/**
 * The keys that secrets are sealed with: `MILLRACE_SECRET_KEY`, else the file `secret.key` in the data folder.
 *
 * Both hold one key, or several with the newest first: 32 bytes each as base64, base64url or hex, one a line (in the
 * variable, separated by commas). The first one seals; the others only open what was sealed before. To rotate, put
 * a new key in front and start again: everything is sealed anew, and the old key can go.
 *
 * The file is made on first use, readable by its owner only. It is linked into place, so that of two processes that
 * make it at once both go on with the same one.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { StoreError } from '../errors.ts';

export interface SecretKey {
  /** Tells which key a secret was sealed with; says nothing about the key. */
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
}

export interface Keyring {
  readonly current: SecretKey;
  find(id: Uint8Array): SecretKey | undefined;
}

export interface KeyringPlace {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const VARIABLE = 'MILLRACE_SECRET_KEY';
const FILE = 'secret.key';
const KEY_BYTES = 32;

export async function openKeyring({ dataDir, env }: KeyringPlace): Promise<Keyring> {
  const given = env[VARIABLE];
  if (given !== undefined && given !== '') return keyringOf(given.split(','), `the variable ${VARIABLE}`);
  const file = path.join(dataDir, FILE);
  const text = (await read(file)) ?? (await make(file));
  await keepPrivate(file);
  return keyringOf(text.split('\n'), `the file ${file}`);
}

function keyringOf(lines: readonly string[], where: string): Keyring {
  const keys = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => keyOf(line, where));
  const [current] = keys;
  if (current === undefined) throw badKey(where);
  return { current, find: (id) => keys.find((key) => Buffer.compare(key.id, id) === 0) };
}

/** The text itself is never part of a message. */
function keyOf(text: string, where: string): SecretKey {
  const hex = /^[0-9a-f]{64}$/i.test(text);
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!hex && !base64) throw badKey(where);
  const bytes = Buffer.from(text, hex ? 'hex' : 'base64');
  if (bytes.length !== KEY_BYTES) throw badKey(where);
  const id = createHash('sha256').update('millrace secret key id').update(bytes).digest().subarray(0, 8);
  return { id, bytes };
}

function badKey(where: string): StoreError {
  return new StoreError(
    'bad-secret-key',
    `What ${where} holds is no key: it must be 32 bytes as base64 or hex, such as "openssl rand -base64 32" prints.`,
    { domain: 'user' },
  );
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, error);
  }
}

async function make(file: string): Promise<string> {
  const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file);
    return text;
  } catch (error) {
    const made = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await read(file) : undefined;
    if (made === undefined) throw unusable(file, error);
    return made;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/** A restored backup may have made it readable to others. */
async function keepPrivate(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): StoreError {
  return new StoreError(
    'bad-secret-key',
    `The key of the secrets, ${file}, cannot be used: ${(cause as Error).message}. Make it readable by the user who runs Millrace only, or give the key as ${VARIABLE}.`,
    { cause },
  );
}
