/** Updates no Yjs would write, byte by byte. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { draftOf } from '../../test/fixture.ts';
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { openShadow, type Shadow } from './shadow.ts';

const [ONE, TWO] = [5000, 5001];
const sender = { clientIds: new Set([ONE, TWO]) };

let relay: Shadow;
let draft: PipelineDocument;

beforeEach(() => {
  const state = Y.encodeStateAsUpdate(draftOf().doc);
  relay = openShadow(state);
  draft = openDocument({ clientId: ONE });
  Y.applyUpdate(draft.doc, state);
});

function outcome(update: Uint8Array): string {
  const vector = relay.stateVector();
  const copy = relay.document();
  const taken = relay.take(update, sender);
  // Refused before it was touched: making the copy anew costs in the size of the draft.
  expect(relay.document()).toBe(copy);
  if (taken.kind !== 'taken') expect(relay.stateVector()).toEqual(vector);
  return taken.kind === 'refused' ? taken.code : taken.kind;
}

/** An item put where the caller says, as no type of Yjs would put it. */
function forge(make: (id: Y.ID) => Y.Item): Uint8Array {
  const before = Y.encodeStateVector(draft.doc);
  draft.doc.transact((transaction) => {
    make(Y.createID(ONE, Y.getState(draft.doc.store, ONE))).integrate(transaction, 0);
  });
  return Y.encodeStateAsUpdate(draft.doc, before);
}

describe('forged structs', () => {
  const name = [1, ...text('settings'), ...text('name')];
  const value = [1, 119, ...text('x')];
  const setName = [0x28, ...name, ...value];

  it('are built rightly here: an honest one is taken', () => {
    expect(outcome(update([block(ONE, 0, [setName])]))).toBe('taken');
  });

  it('R2: one client in two blocks around another, of which a decoder keeps only the last', () => {
    const other = [0x28, 1, ...text('settings'), ...text('other'), ...value];
    const blocks = [block(ONE, 0, [setName]), block(TWO, 0, [other]), block(ONE, 1, [other])];
    expect(outcome(update(blocks))).toBe('malformed');
  });

  it('collected structs, which would delete what they stand for', () => {
    expect(outcome(update([block(ONE, 0, [[0, 9]])]))).toBe('malformed');
  });

  it('a gap, which would wait for ever', () => {
    expect(outcome(update([block(ONE, 0, [setName, [10, 3], setName])]))).toBe('malformed');
  });

  it('deleted content without the content', () => {
    expect(outcome(update([block(ONE, 0, [[0x21, ...name, 3]])]))).toBe('wrong-content');
  });

  it('a clock ahead of what has arrived', () => {
    expect(outcome(update([block(ONE, 7, [setName])]))).toBe('resync');
  });

  it('a struct that comes after itself', () => {
    const own = [0x84, ...varint(ONE), 0, ...text('x')];
    expect(outcome(update([block(ONE, 0, [own])]))).toBe('wrong-place');
  });

  it('two that come after each other', () => {
    const after = (client: number): number[] => [0x84, ...varint(client), 0, ...text('x')];
    expect(outcome(update([block(TWO, 0, [after(ONE)]), block(ONE, 0, [after(TWO)])]))).toBe('resync');
  });

  it('a million structs promised and none sent', () => {
    expect(outcome(Uint8Array.from([1, ...varint(2 ** 32), ...varint(ONE), 0]))).toBe('malformed');
    expect(outcome(Uint8Array.from([...varint(2 ** 50)]))).toBe('malformed');
  });

  it('a value in front of the one that counts, which would rewrite what was before', () => {
    const late = draft.tables.nodes.get('n_late') as Y.Map<unknown>;
    const now = late._map.get('name') as Y.Item;
    const content = new Y.ContentAny(['x']);
    const forged = forge((id) => new Y.Item(id, null, null, now, now.id, late, 'name', content));
    expect(outcome(forged)).toBe('wrong-place');
  });

  it('neighbours in two different texts', () => {
    const [file = ''] = draft.read().files.keys();
    const left = draft.code('n_count')?._start as Y.Item;
    const right = draft.code(file)?._start as Y.Item;
    const content = new Y.ContentString('x');
    const text = draft.code('n_count') as Y.Text;
    expect(
      outcome(forge((id) => new Y.Item(id, left, left.lastId, right, right.id, text, null, content))),
    ).toBe('wrong-place');
  });
});

describe('a draft that is full', () => {
  it('takes no further entity', () => {
    const full = draftOf();
    full.doc.transact(() => {
      for (let i = 0; i < 50_000; i++) full.tables.notes.set(`t_${i}`, new Y.Map([['text', 'x']]));
    });
    const state = Y.encodeStateAsUpdate(full.doc);
    relay = openShadow(state);
    const note = [0x27, 1, ...text('notes'), ...text('t_new'), 1];
    expect(outcome(update([block(ONE, 0, [note])]))).toBe('too-many');
    const setName = [0x28, 1, ...text('settings'), ...text('name'), 1, 119, ...text('x')];
    expect(outcome(update([block(ONE, 0, [setName])]))).toBe('taken');
  });
});

function update(blocks: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...varint(blocks.length), ...blocks.flat(), 0]);
}

function block(client: number, clock: number, structs: readonly (readonly number[])[]): number[] {
  return [...varint(structs.length), ...varint(client), ...varint(clock), ...structs.flat()];
}

function text(value: string): number[] {
  return [...varint(value.length), ...new TextEncoder().encode(value)];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 128);
  }
}
