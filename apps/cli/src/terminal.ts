/**
 * Where the command line writes. stdout is the result, and with `--json` exactly one line; everything that
 * tells how it goes is stderr, so that a pipe gets the result alone.
 */
import { type Style, styleFor, wantsColour } from './text/style.ts';

export interface Terminal {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Of stderr: there the live view is drawn. */
  readonly isTty: boolean;
  readonly style: Style;
  /** Columns and rows as they are now. */
  size(): { readonly columns: number; readonly rows: number };
  /** True while earlier output has not been taken: a frame more would only pile up. */
  isBusy(): boolean;
}

const unknownSize = { columns: 100, rows: 40 };

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const isTty = stderr.isTTY === true && process.env.TERM !== 'dumb';
  return {
    stdout: (text) => void stdout.write(text),
    stderr: (text) => void stderr.write(text),
    isTty,
    style: styleFor(wantsColour(process.env, isTty)),
    size: () => ({ columns: stderr.columns || unknownSize.columns, rows: stderr.rows || unknownSize.rows }),
    isBusy: () => stderr.writableNeedDrain,
  };
}
