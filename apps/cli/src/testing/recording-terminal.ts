import type { Terminal } from '../terminal.ts';
import { styleFor } from '../text/style.ts';

export interface RecordingTerminal extends Terminal {
  readonly written: { readonly stdout: string[]; readonly stderr: string[] };
  busy: boolean;
}

/** A terminal for tests: 80 columns, no colour, every write kept. */
export function recordingTerminal(isTty = false): RecordingTerminal {
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const terminal: RecordingTerminal = {
    written,
    busy: false,
    stdout: (text) => void written.stdout.push(text),
    stderr: (text) => void written.stderr.push(text),
    isTty,
    style: styleFor(false),
    size: () => ({ columns: 80, rows: 24 }),
    isBusy: () => terminal.busy,
  };
  return terminal;
}
