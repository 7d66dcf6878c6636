import { readFolder } from '@millrace/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { draftOf } from '../test/fixture.ts';
import { seeded } from '../test/random.ts';
import { commandOf, type Dice, dice } from '../test/random-command.ts';
import { applyCommand } from './commands/apply-command.ts';
import { toFolder } from './folder/to-folder.ts';
import { EMPTY_HISTORY, type History } from './history/history.ts';
import { record } from './history/record.ts';
import { redo, undo } from './history/undo.ts';
import { openShadow, type Shadow } from './relay/shadow.ts';
import { openDocument, type PipelineDocument } from './shape/open-document.ts';

/** One tab: what it has written and not sent, what was sent to it and not read. */
interface Editor {
  readonly clientId: number;
  readonly document: PipelineDocument;
  readonly outbox: Uint8Array[];
  readonly inbox: Uint8Array[];
  history: History;
  online: boolean;
}

type Act = Dice & { readonly who: number; readonly act: string };

const act: fc.Arbitrary<Act> = fc
  .tuple(
    dice,
    fc.nat(2),
    fc.constantFrom(
      'edit',
      'edit',
      'edit',
      'edit',
      'undo',
      'redo',
      'send',
      'send',
      'receive',
      'receive',
      'cut',
      'join',
    ),
  )
  .map(([thrown, who, act]) => ({ ...thrown, who, act }));

describe('several editors of one draft', () => {
  it('whatever they do and in whatever order it arrives, all read the same graph and the relay takes all of it', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(), (acts, seed) => {
        const seedUpdate = Y.encodeStateAsUpdate(draftOf().doc);
        const relay = openShadow(seedUpdate);
        const editors = [2000, 1000, 3000].map((clientId) => editor(clientId, seedUpdate));
        const random = seeded(seed);
        for (const [at, one] of acts.entries()) perform(one, at, editors, relay, random);
        for (const one of editors) one.online = true;
        for (const one of editors) while (one.outbox.length > 0) send(one, editors, relay);
        for (const one of editors) while (one.inbox.length > 0) receive(one, 0);
        const folders = [relay.document(), ...editors.map(({ document }) => document)].map((document) => [
          ...toFolder(document),
        ]);
        for (const folder of folders) expect(folder).toEqual(folders[0]);
        expect(readFolder(new Map(folders[0])).readable).toBe(true);
        const wrong = readFolder(new Map(folders[0])).issues.filter(({ file }) => file === 'pipeline.json');
        expect(wrong).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

function editor(clientId: number, state: Uint8Array): Editor {
  const document = openDocument({ clientId });
  Y.applyUpdate(document.doc, state);
  const outbox: Uint8Array[] = [];
  document.doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== 'relay') outbox.push(update);
  });
  return { clientId, document, outbox, inbox: [], history: EMPTY_HISTORY, online: true };
}

function perform(
  one: Act,
  at: number,
  editors: readonly Editor[],
  relay: Shadow,
  random: () => number,
): void {
  const who = editors[one.who] as Editor;
  switch (one.act) {
    case 'edit': {
      const result = applyCommand(who.document, commandOf(who.document, one), { random });
      if (result.kind === 'refused') return;
      who.history = record(who.history, {
        label: result.command,
        at: at * 300,
        epoch: 1,
        changes: result.changes,
      });
      return;
    }
    case 'undo':
    case 'redo': {
      const result = (one.act === 'undo' ? undo : redo)(who.document, who.history, at);
      if (result.kind === 'stepped') who.history = result.history;
      return;
    }
    case 'send':
      if (who.online && who.outbox.length > 0) send(who, editors, relay);
      return;
    case 'receive':
      if (who.online && who.inbox.length > 0) receive(who, one.c % who.inbox.length);
      return;
    default:
      who.online = one.act === 'join';
  }
}

function send(from: Editor, editors: readonly Editor[], relay: Shadow): void {
  const taken = relay.take(from.outbox.shift() as Uint8Array, { clientIds: new Set([from.clientId]) });
  if (taken.kind === 'known') return;
  if (taken.kind !== 'taken')
    throw new Error(`the relay did not take an honest update: ${JSON.stringify(taken)}`);
  for (const other of editors) if (other !== from) other.inbox.push(taken.update);
}

/** In any order: what depends on something later waits inside Yjs. */
function receive(who: Editor, index: number): void {
  const [update] = who.inbox.splice(index, 1);
  Y.applyUpdate(who.document.doc, update as Uint8Array, 'relay');
}
