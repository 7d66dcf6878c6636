/**
 * `<data>/server.json`: where the running server of a data folder is, for commands on the same machine. It may
 * be left over from a killed server; who reads it tries and sees.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  pid: z.int(),
  /** Under which people reach it. */
  address: z.string(),
  /** Absent: the one of `DATABASE_URL`, which is not written down. */
  database: z.object({ socketFolder: z.string(), port: z.int() }).optional(),
});
export type ServerFile = z.infer<typeof schema>;

const fileOf = (dataDir: string): string => join(dataDir, 'server.json');

export function writeServerFile(dataDir: string, content: ServerFile): void {
  const file = fileOf(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function readServerFile(dataDir: string): ServerFile | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Not that of another server, which may have written its own since. */
export function removeServerFile(dataDir: string): void {
  if (readServerFile(dataDir)?.pid === process.pid) rmSync(fileOf(dataDir), { force: true });
}
