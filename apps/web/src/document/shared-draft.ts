/**
 * A draft that everybody who may edit it shares: a `Draft` over the wire.
 *
 * Owns: the document of this page, what of it is on its way, this user's history, who else is there. States of the
 * link: `opening` (asking for the document), `open`, `away` (edits wait), `ended` (no more editing here: what was
 * not acknowledged can be downloaded). Invariants
 *   SD1  every edit made here goes into the outbox before anything else happens to it.
 *   SD2  after an answer was missed the document is opened again with what this page has; nothing is sent before.
 *   SD3  what another epoch's document holds is never mixed with this one's.
 */

import {
  applyCommand,
  type Command,
  captureTextChanges,
  emptyDoc,
  openDocument,
  redo,
  type Stepped,
  toFolder,
  undo,
} from '@millrace/document';
import type { NodeTypes } from '@millrace/graph';
import type { EventAnswer, EventPayload } from '@millrace/protocol/api';
import * as Y from 'yjs';
import type { Wire } from '../sockets/wire.ts';
import { documentWords } from '../text/strings/document.ts';
import type { Draft, DraftState, RunOptions, SaveState } from './draft.ts';
import { type LeftOver, leftOverOf } from './left-over.ts';
import type { OfflineEdit, OfflineEdits } from './offline-edits.ts';
import { Outbox, type Sent } from './outbox.ts';
import { OwnHistory } from './own-history.ts';
import { type Presence, presence } from './presence.ts';
import { WholeKeeper } from './whole-keeper.ts';

export interface SharedDraft extends Draft {
  readonly presence: Presence;
  /** Origin for a binding's transactions on the text of code: what it does becomes a step to undo. */
  readonly typing: object;
  /** What is typed and run while `work` runs is one step: a rename through several codes, a formatting. */
  readonly asOneStep: (work: (gesture: string) => void) => void;
  /** Set when this page cannot go on: reload it. */
  readonly ended: () => Ended | undefined;
  /** Edits of this user that this document cannot take: found when it was opened. */
  readonly leftOver: LeftOver | undefined;
}

export interface Ended {
  readonly code: string;
  readonly reason: string;
  /** What the server has not got, for the user to keep. */
  readonly rescue: Rescue | undefined;
}

export interface Rescue {
  /** The draft with the edits in it, as a folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly update: Uint8Array;
}

export interface SharedDraftOptions {
  readonly pipeline: string;
  readonly wire: Wire;
  readonly kept: OfflineEdits;
  readonly types: NodeTypes;
  readonly now?: () => number;
}

export type OpenFailure = { readonly kind: 'failed'; readonly code: string; readonly reason: string };
type Opened = Extract<EventAnswer<'doc.open'>, { ok: true }>;

const FROM_SERVER = Symbol(documentWords.fromTheServer);
/** Without an answer for this long people are told. */
const PATIENCE_MS = 4_000;
const AGAIN_MS = 1_000;
/** In the place of an epoch: no document has it, so that edits kept under it are left over. */
const REFUSED = -1;
const GONE = new Set(['not-found', 'not-allowed', 'unreadable']);
const TO_REOPEN = new Set(['resync', 'not-open', 'stopping', 'internal', 'closed']);

export async function openSharedDraft(options: SharedDraftOptions): Promise<SharedDraft | OpenFailure> {
  // Before it is opened: what is told from then on finds its listener.
  const left = await options.kept.load();
  const opened = await firstAnswer(options);
  if (!opened.ok) return { kind: 'failed', code: opened.code, reason: opened.detail };
  const isOfNow = ({ epoch }: OfflineEdit) => epoch === opened.epoch;
  const leftOver = await leftOverOf(
    options.kept,
    left.filter((edit) => !isOfNow(edit)),
  );
  return sharedDraft(options, opened, { left: left.filter(isOfNow), leftOver });
}

/** Waits for a connection; an answer that was lost is asked for again. */
async function firstAnswer({ wire, pipeline }: SharedDraftOptions): Promise<EventAnswer<'doc.open'>> {
  for (;;) {
    await untilOnline(wire);
    try {
      return await wire.ask('doc.open', { pipeline });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

function untilOnline(wire: Wire): Promise<void> {
  if (wire.isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = wire.subscribe(() => {
      if (!wire.isOnline()) return;
      stop();
      resolve();
    });
  });
}

type Link =
  | { readonly kind: 'opening' | 'open' | 'away' }
  | { readonly kind: 'ended'; readonly ended: Ended };

function sharedDraft(
  { pipeline, wire, kept, types, now = Date.now }: SharedDraftOptions,
  opened: Opened,
  { left, leftOver }: { readonly left: readonly OfflineEdit[]; readonly leftOver: LeftOver | undefined },
): SharedDraft {
  const { epoch } = opened;
  const document = openDocument({ doc: emptyDoc() });
  const { doc } = document;
  const typing = { typing: pipeline };
  const history = new OwnHistory();
  const outbox = new Outbox({
    kept,
    epoch,
    send: (bytes, more) => wire.ask('doc.update', { pipeline, bytes, ...(more && { more }) }),
  });
  const whole = new WholeKeeper({ kept, epoch, doc, isWaiting: () => !outbox.isEmpty, now }, left.length > 0);
  const others = presence((state) => {
    if (link.kind !== 'open') return;
    wire.ask('doc.presence', { pipeline, state }).catch(() => undefined);
  });
  const listeners = new Set<() => void>();
  let link: Link = { kind: 'open' };
  let readOnly: string | undefined;
  let trouble: string | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let pushing = false;
  let closed = false;
  let state = stateNow();

  // ---- what is shown ---------------------------------------------------------------------------------

  function stateNow(): DraftState {
    const { undo: done, redo: undone } = history.current;
    return { save: saveState(), undo: done.at(-1)?.label, redo: undone.at(-1)?.label };
  }

  function saveState(): SaveState {
    if (link.kind === 'ended') return { kind: 'unsaved', reason: link.ended.reason };
    if (readOnly !== undefined && outbox.isEmpty) return { kind: 'read-only', reason: readOnly };
    if (outbox.isEmpty && !history.isWaiting) return { kind: 'saved' };
    return trouble === undefined ? { kind: 'saving' } : { kind: 'unsaved', reason: trouble };
  }

  function tell(): void {
    const next = stateNow();
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }

  /** Waiting is `saving` at first; only what lasts is worth a word. */
  function watchPatience(): void {
    whole.touch();
    if (outbox.isEmpty) {
      clearTimeout(patience);
      patience = undefined;
      trouble = undefined;
    } else
      patience ??= setTimeout(() => {
        patience = undefined;
        if (outbox.isEmpty) return;
        trouble = readOnly ?? documentWords.theServerDoesNotAnswer;
        tell();
      }, PATIENCE_MS);
    tell();
  }

  // ---- edits out -------------------------------------------------------------------------------------

  function made(update: Uint8Array, origin: unknown): void {
    if (origin === FROM_SERVER) return;
    outbox.add(update);
    watchPatience();
    // After the transaction's other listeners: the history of this step is there by then.
    queueMicrotask(push);
  }

  function push(): void {
    if (link.kind !== 'open' || closed || pushing) return;
    pushing = true;
    void outbox.send().then((outcome) => {
      pushing = false;
      sent(outcome);
      if (outcome.kind === 'all' && !outbox.isEmpty) push();
    });
    sendHistory();
  }

  function sent(outcome: Sent): void {
    if (closed) return;
    watchPatience();
    if (outcome.kind === 'all') return sendHistory();
    if (outcome.kind === 'lost' || TO_REOPEN.has(outcome.code)) return reopen();
    if (outcome.code === 'not-allowed' || outcome.code === 'read-only') {
      readOnly = outcome.detail;
      trouble = outcome.detail;
      return tell();
    }
    end(outcome.code, documentWords.editNotTaken(outcome.detail));
    // Sent again by the next page they would end that one too.
    void kept.keepWhole(REFUSED, { state: Y.encodeStateAsUpdate(doc), at: now() });
    void outbox.setAside(REFUSED);
  }

  function sendHistory(): void {
    if (link.kind !== 'open' || readOnly !== undefined || closed) return;
    void history.send((message) => wire.ask('doc.history', { pipeline, ...message }), tell).then(tell);
  }

  // ---- opening again ---------------------------------------------------------------------------------

  function reopen(): void {
    if (link.kind === 'ended' || closed) return;
    link = { kind: 'away' };
    clearTimeout(again);
    if (wire.isOnline()) again = setTimeout(() => void open(), AGAIN_MS);
    watchPatience();
  }

  async function open(): Promise<void> {
    if (link.kind !== 'away' || closed) return;
    link = { kind: 'opening' };
    const vector = Y.encodeStateVector(doc);
    try {
      const answer = await wire.ask('doc.open', { pipeline, client: doc.clientID, epoch, vector });
      if (closed) return;
      if (answer.ok) opening(answer);
      else if (GONE.has(answer.code)) end(answer.code, answer.detail);
      else {
        link = { kind: 'away' };
        reopen();
      }
    } catch {
      if (closed) return;
      link = { kind: 'away' };
      reopen();
    }
  }

  function opening(answer: Opened): void {
    // SD3
    if (answer.epoch !== epoch) return end('renewed', documentWords.thisDraftWasMadeAnew);
    link = { kind: 'open' };
    readOnly = answer.canEdit ? undefined : (answer.detail ?? documentWords.youMayLook);
    trouble = undefined;
    take([answer.update]);
    doc.clientID = answer.client;
    history.adopt(answer.history);
    others.replace(answer.peers);
    watchPatience();
    tell();
    push();
  }

  function take(updates: readonly Uint8Array[]): void {
    doc.transact(() => {
      for (const update of updates) Y.applyUpdate(doc, new Uint8Array(update), FROM_SERVER);
    }, FROM_SERVER);
  }

  function end(code: string, reason: string): void {
    const rescue = outbox.isEmpty ? undefined : { files: toFolder(document), update: outbox.unsent };
    link = { kind: 'ended', ended: { code, reason, rescue } };
    whole.keep();
    others.replace([]);
    tell();
  }

  // ---- what comes ------------------------------------------------------------------------------------

  function heard(news: EventPayload<'doc.news'>, taken: () => void): void {
    if (news.pipeline !== pipeline) return;
    taken();
    if (link.kind === 'ended') return;
    take(news.updates);
    others.change(news.peers, news.gone);
    if (news.history !== undefined) history.adopt(news.history);
    if (news.canEdit !== undefined)
      readOnly = news.canEdit ? undefined : (news.detail ?? documentWords.youMayNotEdit);
    tell();
    if (news.canEdit === true) push();
  }

  function closedByServer({ pipeline: of, code, detail }: EventPayload<'doc.closed'>): void {
    if (of !== pipeline || link.kind === 'ended') return;
    if (GONE.has(code)) end(code, detail);
    else reopen();
  }

  const stops = [
    wire.on('doc.news', heard),
    wire.on('doc.closed', closedByServer),
    wire.subscribe(() => {
      if (link.kind === 'ended' || closed) return;
      const isOnline = wire.isOnline();
      if (!isOnline) link = { kind: 'away' };
      else if (link.kind === 'away') void open();
      watchPatience();
    }),
  ];

  // What an earlier page left is applied first, so that the edits of this one build on it.
  opening(opened);
  if (left.length > 0) {
    take(left.map(({ update }) => update));
    outbox.addKept(left);
    watchPatience();
    push();
  }
  doc.on('update', made);
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    if (transaction.origin !== typing) return;
    const changes = captureTextChanges(document, transaction);
    const gesture = oneStep === undefined ? {} : { gesture: oneStep };
    if (changes.length > 0) history.add({ label: 'edit-code', at: now(), epoch, changes, ...gesture });
    tell();
  });

  let oneStep: string | undefined;
  const mayNotEdit = (): string | undefined => (link.kind === 'ended' ? link.ended.reason : readOnly);
  const step = (take: typeof undo): ReturnType<typeof undo> => {
    if (mayNotEdit() !== undefined) return { kind: 'nothing' };
    const result = take(document, history.current, now());
    if (result.kind === 'stepped') history.rewrite((result as Stepped).history);
    tell();
    return result;
  };

  return {
    document,
    typing,
    presence: others,
    leftOver,
    ended: () => (link.kind === 'ended' ? link.ended : undefined),
    asOneStep: (work) => {
      const before = oneStep;
      oneStep ??= `step ${now()} ${dice()}`;
      try {
        work(oneStep);
      } finally {
        oneStep = before;
      }
    },
    run: (command: Command, { gesture = oneStep }: RunOptions = {}) => {
      const reason = mayNotEdit();
      if (reason !== undefined) return { kind: 'refused', code: 'read-only', reason };
      const result = applyCommand(document, command, { random: dice, types });
      if (result.kind === 'refused') return result;
      const { command: label, changes } = result;
      history.add({ label, at: now(), epoch, changes, ...(gesture !== undefined && { gesture }) });
      tell();
      return result;
    },
    undo: () => step(undo),
    redo: () => step(redo),
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    flush: async () => {
      if (link.kind === 'open' && !closed) sent(await outbox.send());
    },
    close: () => {
      if (closed) return;
      closed = true;
      for (const stop of stops) stop();
      clearTimeout(patience);
      clearTimeout(again);
      whole.keep();
      others.close();
      listeners.clear();
      wire.ask('doc.close', { pipeline }).catch(() => undefined);
      document.close();
    },
  };
}

const dice = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
