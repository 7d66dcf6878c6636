/** The product's own log: `<data>/server.log`, one JSON object a line. What people must see goes to the terminal. */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';

const LIMIT_BYTES = 8 << 20;

export interface ServerLog {
  readonly log: Logger;
  readonly file: string;
  flush(): void;
}

export function openServerLog(dataDir: string, level: string): ServerLog {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'server.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIMIT_BYTES) renameSync(file, `${file}.1`);
  const destination = pino.destination({ dest: file, sync: true, mode: 0o600 });
  const log = pino({ level: level in pino.levels.values ? level : 'info', base: null }, destination);
  return { log, file, flush: () => destination.flushSync() };
}
