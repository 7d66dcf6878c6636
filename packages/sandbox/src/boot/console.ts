/**
 * `console` of a worker: short lines on stderr, of which the host keeps the last bytes, and told to whoever keeps the
 * pipeline's log. Stdout carries frames.
 */
const LONGEST_LINE = 4_096;

type Print = (...parts: unknown[]) => void;

export interface WorkerConsole {
  readonly log: Print;
  readonly info: Print;
  readonly warn: Print;
  readonly error: Print;
  readonly debug: Print;
  readonly trace: Print;
}

export type Level = 'debug' | 'info' | 'warn' | 'error';

export function captureConsole(
  writeSync: (bytes: Uint8Array) => number,
  tell: (level: Level, parts: readonly unknown[]) => void,
): WorkerConsole {
  const encoder = new TextEncoder();
  const printer = (level: Level): Print => {
    return (...parts) => {
      write(parts);
      tell(level, parts);
    };
  };
  const write = (parts: readonly unknown[]) => {
    const line = parts.map(show).join(' ').slice(0, LONGEST_LINE);
    const bytes = encoder.encode(`${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(bytes.subarray(at));
  };
  const info = printer('info');
  return {
    log: info,
    info,
    warn: printer('warn'),
    error: printer('error'),
    debug: printer('debug'),
    trace: printer('debug'),
  };
}

function show(part: unknown): string {
  try {
    if (part instanceof Error) return part.stack ?? String(part);
    return typeof part === 'object' ? (JSON.stringify(part) ?? String(part)) : String(part);
  } catch {
    return '[unprintable]';
  }
}
