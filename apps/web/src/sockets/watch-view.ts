/**
 * Live numbers of pipelines. All who watch a pipeline share one view on the socket; who comes later gets the last
 * frame at once. A frame is acknowledged when everybody has had it, so a slow page is sent fewer.
 */
import { decodeView, type EventPayload, type View, type ViewTable } from '@millrace/protocol/api';
import { isConnected, onConnected, onEvent, request } from './connection.ts';

type State = NonNullable<EventPayload<'view.frame'>['state']>;

export interface LiveView {
  /** What the pipeline does; undefined until it was told. */
  readonly state: State | undefined;
  /** Undefined while it does not run. */
  readonly view: View | undefined;
  /** Names and kinds of what `view` has numbers of. */
  readonly table: ViewTable | undefined;
  /** Why there will be no more: the right was withdrawn, or the pipeline is gone. */
  readonly ended: string | undefined;
}

const NOTHING: LiveView = { state: undefined, view: undefined, table: undefined, ended: undefined };

type Listener = (live: LiveView) => void;

interface Watched {
  readonly listeners: Set<Listener>;
  last: LiveView;
}

const watched = new Map<string, Watched>();
let listening = false;

/** Gives the way to stop. */
export function watchView(pipeline: string, listener: Listener): () => void {
  listen();
  let entry = watched.get(pipeline);
  if (entry) listener(entry.last);
  else {
    entry = { listeners: new Set(), last: NOTHING };
    watched.set(pipeline, entry);
    if (isConnected()) void open(pipeline);
  }
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0 || watched.get(pipeline) !== entry) return;
    watched.delete(pipeline);
    if (isConnected()) request('view.close', { pipeline }).catch(() => undefined);
  };
}

function listen(): void {
  if (listening) return;
  listening = true;
  onEvent('view.frame', (frame, answer) => {
    const entry = watched.get(frame.pipeline);
    if (entry) tell(entry, take(entry, frame));
    answer();
  });
  onEvent('view.ended', ({ pipeline, detail }) => {
    const entry = watched.get(pipeline);
    if (entry) tell(entry, { ...entry.last, view: undefined, ended: detail });
  });
  onConnected(() => {
    for (const pipeline of watched.keys()) void open(pipeline);
  });
}

async function open(pipeline: string): Promise<void> {
  const answer = await request('view.open', { pipeline }).catch(() => undefined);
  const entry = watched.get(pipeline);
  if (entry && answer && !answer.ok) tell(entry, { ...entry.last, ended: answer.detail });
}

function take(entry: Watched, frame: EventPayload<'view.frame'>): LiveView {
  const table = frame.table ?? entry.last.table;
  const state = frame.state ?? entry.last.state;
  // socket.io gives an ArrayBuffer in a browser, whatever was sent.
  const body = frame.body && new Uint8Array(frame.body as unknown as ArrayBuffer);
  const view = body && table ? decodeView(table, body) : undefined;
  const runs =
    state === undefined ||
    state.state === 'running' ||
    state.state === 'draining' ||
    state.state === 'redriving' ||
    state.state === 'paused';
  return { state, view: view ?? (runs ? entry.last.view : undefined), table, ended: undefined };
}

function tell(entry: Watched, live: LiveView): void {
  entry.last = live;
  for (const listener of entry.listeners) listener(live);
}
