import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { draftOf } from '../../test/fixture.ts';
import { seeded } from '../../test/random.ts';
import { applyCommand } from '../commands/apply-command.ts';
import type { Command } from '../commands/command.ts';
import { toFolder } from '../folder/to-folder.ts';
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { issueClientId } from './issue-client-id.ts';
import { openShadow, type Shadow, type Taken } from './shadow.ts';

const OWN = 5000;
const sender = { clientIds: new Set([OWN, 5001]) };

let state: Uint8Array;
let relay: Shadow;
let draft: PipelineDocument;

beforeEach(renew);

function renew(): void {
  state = Y.encodeStateAsUpdate(draftOf().doc);
  relay = openShadow(state);
  draft = tab(OWN);
}

function tab(clientId: number): PipelineDocument {
  const document = openDocument({ clientId });
  Y.applyUpdate(document.doc, state);
  return document;
}

/** The bytes a change to a document sends. */
function updateOf(document: PipelineDocument, change: () => void): Uint8Array {
  const before = Y.encodeStateVector(document.doc);
  document.doc.transact(change);
  return Y.encodeStateAsUpdate(document.doc, before);
}

function command(document: PipelineDocument, given: Command): Uint8Array {
  return updateOf(document, () => applyCommand(document, given, { random: seeded(3) }));
}

/** Nothing of a refused update stays (R3), and the relay goes on taking honest ones. */
function expectRefused(update: Uint8Array, code: string): void {
  const before = [...toFolder(relay.document())];
  const vector = relay.stateVector();
  const taken = relay.take(update, sender);
  expect(taken.kind === 'refused' ? taken.code : taken.kind).toBe(code);
  expect([...toFolder(relay.document())]).toEqual(before);
  expect(relay.stateVector()).toEqual(vector);
  const honest = tab(5001);
  expect(relay.take(command(honest, { kind: 'rename-pipeline', name: 'still here' }), sender).kind).toBe(
    'taken',
  );
}

describe('what the relay takes', () => {
  it('R2: sends on an update that brings another peer to the same graph', () => {
    const taken = relay.take(
      command(draft, { kind: 'add-node', type: 'code', at: [1, 2], text: 'a' }),
      sender,
    );
    const other = tab(7000);
    Y.applyUpdate(other.doc, (taken as Taken & { kind: 'taken' }).update);
    expect([...toFolder(other)]).toEqual([...toFolder(draft)]);
    expect([...toFolder(relay.document())]).toEqual([...toFolder(draft)]);
  });

  it('an update sent twice is known the second time', () => {
    const update = command(draft, { kind: 'rename-node', node: 'n_late', name: 'x' });
    expect(relay.take(update, sender).kind).toBe('taken');
    expect(relay.take(update, sender)).toEqual({ kind: 'known' });
  });

  it('R2: strips what follows an update, instead of storing it', () => {
    const update = command(draft, { kind: 'rename-node', node: 'n_late', name: 'x' });
    const taken = relay.take(Uint8Array.from([...update, 1, 2, 3, 4]), sender);
    expect(taken.kind === 'taken' && taken.update.length).toBe(update.length);
  });

  it('edits of two tabs of one user that refer to each other, in one update', () => {
    command(draft, { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'one' }] });
    draft.doc.clientID = 5001;
    command(draft, { kind: 'edit-code', code: 'n_count', splices: [{ at: 1, remove: 0, insert: 'two' }] });
    draft.doc.clientID = OWN;
    command(draft, { kind: 'edit-code', code: 'n_count', splices: [{ at: 2, remove: 0, insert: 'three' }] });
    expect(relay.take(Y.encodeStateAsUpdate(draft.doc, relay.stateVector()), sender).kind).toBe('taken');
    expect(relay.document().code('n_count')?.toString()).toContain('otthreewone');
  });

  it('text of others may be deleted: that is working together', () => {
    const update = command(draft, {
      kind: 'edit-code',
      code: 'n_count',
      splices: [{ at: 0, remove: 6, insert: '' }],
    });
    expect(relay.take(update, sender).kind).toBe('taken');
  });

  it('the same id made by two at once converges instead of stopping one of them', () => {
    const other = tab(5001);
    const restore = (document: PipelineDocument): Uint8Array =>
      updateOf(document, () => document.tables.layout.set('n_out', new Y.Map([['at', ['[1,2]']]])));
    const [a, b] = [restore(draft), restore(other)];
    expect([relay.take(a, sender).kind, relay.take(b, sender).kind]).toEqual(['taken', 'taken']);
    Y.applyUpdate(draft.doc, b);
    // The loser's whole state, its own entity deleted in it, is nothing forbidden.
    expect(relay.take(Y.encodeStateAsUpdate(draft.doc), sender).kind).toBe('known');
  });

  it('a thousand updates keep the copy whole', () => {
    for (let i = 0; i < 1_200; i++) {
      const splices = [{ at: 0, remove: i % 3 === 0 ? 1 : 0, insert: 'x' }];
      expect(relay.take(command(draft, { kind: 'edit-code', code: 'n_count', splices }), sender).kind).toBe(
        'taken',
      );
    }
    expect([...toFolder(relay.document())]).toEqual([...toFolder(draft)]);
  });
});

describe('what the relay refuses', () => {
  it('an id that was not issued to the sender', () => {
    const forged = tab(1234);
    expectRefused(command(forged, { kind: 'rename-node', node: 'n_late', name: 'x' }), 'foreign-client');
  });

  it("a forged id of the server's, which seeded the draft", () => {
    const forged = tab(1);
    expectRefused(command(forged, { kind: 'rename-node', node: 'n_late', name: 'x' }), 'foreign-client');
  });

  it('what builds on something that has not arrived: it asks for the rest', () => {
    command(draft, { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'lost' }] });
    const next = command(draft, {
      kind: 'edit-code',
      code: 'n_count',
      splices: [{ at: 4, remove: 0, insert: 'x' }],
    });
    expectRefused(next, 'resync');
    expect(relay.take(Y.encodeStateAsUpdate(draft.doc, relay.stateVector()), sender).kind).toBe('taken');
  });

  it('what builds on the edit of somebody who has not sent it', () => {
    const other = tab(6000);
    command(other, { kind: 'edit-code', code: 'n_count', splices: [{ at: 0, remove: 0, insert: 'unsent' }] });
    Y.applyUpdate(draft.doc, Y.encodeStateAsUpdate(other.doc));
    const update = command(draft, {
      kind: 'edit-code',
      code: 'n_count',
      splices: [{ at: 3, remove: 0, insert: 'x' }],
    });
    expectRefused(update, 'resync');
  });

  it('deletion of what has not arrived', () => {
    // No structs; one client, one range: client 5000, clock 40, length 5.
    expectRefused(Uint8Array.from([0, 1, 136, 39, 1, 40, 5]), 'resync');
  });

  it('more than 1 MB', () => {
    const big = 'x'.repeat(1024 * 1024);
    const update = updateOf(draft, () => draft.code('n_count')?.insert(0, big));
    expectRefused(update, 'too-large');
  });

  it('what takes the draft over its limit', () => {
    relay = openShadow(state, { update: 4_000, draft: state.length + 3_000 });
    const typed = (): Taken =>
      relay.take(
        updateOf(draft, () => draft.code('n_count')?.insert(0, 'x'.repeat(2_000))),
        sender,
      );
    expect(typed().kind).toBe('taken');
    expect(typed()).toMatchObject({ kind: 'refused', code: 'draft-too-large' });
  });

  it('a change of form or epoch, by setting, deleting or a new root', () => {
    expectRefused(
      updateOf(draft, () => draft.stamp.set('epoch', 2)),
      'stamp',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.stamp.set('other', 2)),
      'stamp',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.stamp.delete('schema')),
      'stamp',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.doc.getMap('mine').set('a', 1)),
      'wrong-place',
    );
  });

  it('an entity removed or replaced as a whole', () => {
    expectRefused(
      updateOf(draft, () => draft.tables.nodes.delete('n_count')),
      'removes-entity',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.codes.delete('n_count')),
      'removes-entity',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.tables.nodes.set('n_count', new Y.Map())),
      'replaces-entity',
    );
    renew();
    expectRefused(
      updateOf(draft, () => draft.codes.set('n_count', new Y.Text('mine'))),
      'replaces-entity',
    );
  });

  const wrong: Record<string, (document: PipelineDocument) => void> = {
    'a plain value where an entity belongs': ({ tables }) => tables.nodes.set('n_x', 'value'),
    'a list where an entity belongs': ({ tables }) => tables.nodes.set('n_x', new Y.Array()),
    'a text where an entity belongs': ({ tables }) => tables.nodes.set('n_x', new Y.Text()),
    'a map where code belongs': ({ codes }) => codes.set('n_x', new Y.Map()),
    'an XML text where code belongs': ({ codes }) => codes.set('n_x', new Y.XmlText()),
    'a map inside of an entity': ({ tables }) =>
      fields(tables.nodes, 'n_late').set('config.path', new Y.Map()),
    'a document inside of an entity': ({ tables }) => fields(tables.nodes, 'n_late').set('name', new Y.Doc()),
    'bytes as a value': ({ tables }) => fields(tables.nodes, 'n_late').set('name', new Uint8Array(3)),
    'an object as a value': ({ tables }) => fields(tables.nodes, 'n_late').set('name', { a: 1 }),
    'a value that is no JSON': ({ tables }) => fields(tables.nodes, 'n_late').set('name', 1n),
    'no value': ({ tables }) => fields(tables.nodes, 'n_late').set('name', undefined),
    'not a number': ({ tables }) => fields(tables.nodes, 'n_late').set('name', Number.NaN),
    'broken JSON': ({ tables }) => fields(tables.nodes, 'n_late').set('config.a', ['{"a":']),
    'JSON nested a thousand deep': ({ tables }) =>
      fields(tables.nodes, 'n_late').set('config.a', ['['.repeat(1_000) + ']'.repeat(1_000)]),
    'lists nested three thousand deep': ({ tables }) =>
      fields(tables.nodes, 'n_late').set('config.a', nested(3_000)),
    'formats inside of code': ({ codes }) => (codes.get('n_count') as Y.Text).format(0, 3, { bold: true }),
    'an embedded object inside of code': ({ codes }) =>
      (codes.get('n_count') as Y.Text).insertEmbed(0, { a: 1 }),
    'a shared type inside of code': ({ codes }) =>
      (codes.get('n_count') as Y.Text).insertEmbed(0, new Y.Map()),
    'a carriage return inside of code': ({ codes }) => (codes.get('n_count') as Y.Text).insert(0, 'a\r\nb'),
    'an attribute on code': ({ codes }) => (codes.get('n_count') as Y.Text).setAttribute('a', 'b'),
    'an entity called __proto__': ({ tables }) => tables.nodes.set('__proto__', new Y.Map()),
    'a node with the id of a stream': ({ tables }) => tables.nodes.set('s_1x', new Y.Map()),
    'a field called __proto__': ({ tables }) => fields(tables.nodes, 'n_late').set('__proto__', 'x'),
    'a field without a name': ({ tables }) => fields(tables.nodes, 'n_late').set('', 'x'),
    'a list in a root': ({ doc }) => (doc.getMap('nodes') as unknown as Y.Text) && rootList(doc),
  };
  for (const [what, change] of Object.entries(wrong)) {
    it(what, () => {
      const code = what === 'a list in a root' ? 'wrong-place' : undefined;
      const update = updateOf(draft, () => change(draft));
      const taken = relay.take(update, sender);
      expect(taken.kind).toBe('refused');
      expectRefused(update, code ?? (taken as Taken & { kind: 'refused' }).code);
    });
  }

  it('whatever bytes come: no exception, no trace', () => {
    const honest = command(draft, { kind: 'duplicate', nodes: ['n_count', 'n_late'], by: [1, 1] });
    const before = [...toFolder(relay.document())];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        relay.take(bytes, sender);
        expect([...toFolder(relay.document())]).toEqual(before);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (flips) => {
        const fresh = openShadow(state);
        const bytes = Uint8Array.from(honest);
        for (const [at, value] of flips) bytes[at % bytes.length] = value;
        const vector = fresh.stateVector();
        const taken = fresh.take(bytes, sender);
        if (taken.kind !== 'taken') expect(fresh.stateVector()).toEqual(vector);
        expect(fresh.document().epoch()).toBe(1);
        toFolder(fresh.document());
        expect(fresh.document().doc.store.pendingStructs).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('issueClientId', () => {
  it('never gives out an id twice, nor one of the server', () => {
    const rolls = [0, 0, 0.5];
    const random = (): number => rolls.shift() ?? 0.9;
    expect(issueClientId(new Set([1_000]), random)).toBe(1_000 + Math.floor(0.5 * (2 ** 32 - 1_000)));
  });
});

function fields(table: Y.Map<unknown>, id: string): Y.Map<unknown> {
  return table.get(id) as Y.Map<unknown>;
}

function nested(depth: number): unknown[] {
  let value: unknown[] = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** Content without a key in a root that is a map. */
function rootList(doc: Y.Doc): void {
  const root = doc.getMap('nodes');
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID));
  const item = new Y.Item(id, null, null, null, null, root, null, new Y.ContentString('x'));
  item.integrate(doc._transaction as Y.Transaction, 0);
}
