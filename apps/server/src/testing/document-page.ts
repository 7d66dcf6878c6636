/** A page that edits a draft over a socket, as plainly as can be: every edit is sent at once. */
import {
  type Applied,
  applyCommand,
  type Command,
  emptyDoc,
  openDocument,
  type PipelineDocument,
} from '@millrace/document';
import type { EventAnswer, EventPayload } from '@millrace/protocol/api';
import type { Socket } from 'socket.io-client';
import * as Y from 'yjs';

export type Opened = Extract<EventAnswer<'doc.open'>, { ok: true }>;
type Answer = { readonly ok: boolean; readonly code?: string; readonly detail?: string };

export interface DocumentPage {
  readonly document: PipelineDocument;
  readonly opened: Opened;
  readonly news: EventPayload<'doc.news'>[];
  readonly closed: EventPayload<'doc.closed'>[];
  /** Made here, not sent. */
  edit(command: Command): { readonly applied: Applied; readonly update: Uint8Array };
  /** Made and sent; the answer to it. */
  send(command: Command): Promise<Answer>;
  put(update: Uint8Array, more?: boolean): Promise<Answer>;
  ask(event: string, payload: unknown): Promise<Answer>;
}

export async function openPage(
  socket: Socket,
  pipeline: string,
  had: Partial<EventPayload<'doc.open'>> = {},
): Promise<DocumentPage> {
  const opened = (await ask(socket, 'doc.open', { pipeline, ...had })) as Opened & Answer;
  if (!opened.ok) throw new Error(`${opened.code}: ${opened.detail}`);
  const document = openDocument({ doc: emptyDoc() });
  Y.applyUpdate(document.doc, new Uint8Array(opened.update), 'server');
  document.doc.clientID = opened.client;
  const news: EventPayload<'doc.news'>[] = [];
  const closed: EventPayload<'doc.closed'>[] = [];
  socket.on('doc.news', (message: EventPayload<'doc.news'>, taken: () => void) => {
    if (message.pipeline !== pipeline) return;
    news.push(message);
    for (const update of message.updates) Y.applyUpdate(document.doc, new Uint8Array(update), 'server');
    taken();
  });
  socket.on('doc.closed', (message: EventPayload<'doc.closed'>) => closed.push(message));
  const edit = (command: Command) => {
    const updates: Uint8Array[] = [];
    const take = (update: Uint8Array) => updates.push(update);
    document.doc.on('update', take);
    const applied = applyCommand(document, command, { random: Math.random });
    document.doc.off('update', take);
    if (applied.kind === 'refused') throw new Error(applied.reason);
    return { applied, update: Y.mergeUpdates(updates) };
  };
  const put = (bytes: Uint8Array, more?: boolean) =>
    ask(socket, 'doc.update', { pipeline, bytes, ...(more !== undefined && { more }) });
  return {
    ...{ document, opened, news, closed, edit, put },
    send: (command) => put(edit(command).update),
    ask: (event, payload) => ask(socket, event, payload),
  };
}

export const vectorOf = (document: PipelineDocument): Uint8Array => Y.encodeStateVector(document.doc);

export const ask = (socket: Socket, event: string, payload: unknown): Promise<Answer> =>
  socket.timeout(5_000).emitWithAck(event, payload);
