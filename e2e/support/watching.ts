/** What a page of the product would hold: a pipeline's newest numbers and sampled records, through reconnects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeView, type View, type ViewTable } from '@millrace/protocol/api';
import { ask, type Caller } from './served.ts';

interface Frame {
  readonly sequence: number;
  readonly table?: ViewTable;
  readonly body?: ArrayBuffer;
}

export interface Watched {
  connections: number;
  /** Since the last connection. */
  frames: number;
  view: View | undefined;
  readonly epochs: Set<string>;
  close(): void;
}

/** Watches by itself again whenever the connection is back, behind the last frame it saw. */
export function watch(by: Caller, pipeline: string): Watched {
  const socket = by.socket();
  let after: { epoch: string; sequence: number } | undefined;
  let table: ViewTable | undefined;
  let epoch = '';
  const seen: Watched = {
    connections: 0,
    frames: 0,
    view: undefined,
    epochs: new Set(),
    close: () => void socket.close(),
  };
  socket.on('hello', (hello: { epoch: string }) => {
    epoch = hello.epoch;
    seen.epochs.add(epoch);
    seen.connections++;
    seen.frames = 0;
    table = undefined;
    // Lost with the connection: the next one asks again.
    ask(socket, 'view.open', { pipeline, ...(after && { after }) }).catch(() => undefined);
  });
  socket.on('view.frame', (frame: Frame, taken: () => void) => {
    if (frame.table !== undefined) table = frame.table;
    if (frame.body !== undefined && table !== undefined)
      seen.view = decodeView(table, new Uint8Array(frame.body)) ?? seen.view;
    after = { epoch, sequence: frame.sequence };
    seen.frames++;
    taken();
  });
  return seen;
}

export interface Tapped {
  records: number;
  /** How many went by, shown or not. */
  seen: number;
  /** The first of them, as JSON text. */
  readonly texts: string[];
  close(): void;
}

/** Opens a tap, and opens it again whenever it ends or the connection is back. */
export function tap(by: Caller, pipeline: string, streams: readonly string[]): Tapped {
  const socket = by.socket();
  const tapped: Tapped = { records: 0, seen: 0, texts: [], close: () => void socket.close() };
  const open = async (): Promise<void> => {
    while (socket.connected) {
      const answer = await ask(socket, 'tap.open', { pipeline, streams, recordsPerSecond: 20 }).catch(
        () => ({}),
      );
      if ('ok' in answer && answer.ok === true) return;
      // It starts, or its engine host does.
      await sleep(200);
    }
  };
  const opened = () => void open();
  socket.on('hello', opened);
  socket.on('tap.ended', opened);
  socket.on('tap.records', (message: { records: { text: string }[]; seen: number }, taken: () => void) => {
    tapped.records += message.records.length;
    tapped.seen += message.seen;
    if (tapped.texts.length < 100) tapped.texts.push(...message.records.map(({ text }) => text));
    taken();
  });
  return tapped;
}
