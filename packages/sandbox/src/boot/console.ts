/** `console` of a worker: short lines on stderr, of which the host keeps the last bytes. Stdout carries frames. */
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

export function captureConsole(writeSync: (bytes: Uint8Array) => number): WorkerConsole {
  const encoder = new TextEncoder();
  const print: Print = (...parts) => {
    const line = parts.map(show).join(' ').slice(0, LONGEST_LINE);
    const bytes = encoder.encode(`${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(bytes.subarray(at));
  };
  return { log: print, info: print, warn: print, error: print, debug: print, trace: print };
}

function show(part: unknown): string {
  try {
    if (part instanceof Error) return part.stack ?? String(part);
    return typeof part === 'object' ? (JSON.stringify(part) ?? String(part)) : String(part);
  } catch {
    return '[unprintable]';
  }
}
