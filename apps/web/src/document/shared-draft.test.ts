import { builtInTypes, canonicalJson } from '@millrace/graph';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakePage, FakeRelay } from './fake-relay.ts';
import type { OfflineEdit, OfflineEdits, Whole } from './offline-edits.ts';
import { openSharedDraft, type SharedDraft } from './shared-draft.ts';

const node = { type: 'code', name: 'count', code: 'nodes/count.ts' };
const pipeline = { format: 1, id: 'p_x', name: 'X', nodes: { n_a: node }, streams: {} };
const files = { 'pipeline.json': canonicalJson(pipeline), 'nodes/count.ts': 'one\n' };
const types = new Map(builtInTypes.map((spec) => [spec.type, spec]));

function browser(): OfflineEdits & {
  readonly rows: OfflineEdit[];
  readonly wholes: Map<number, Whole>;
} {
  const rows: OfflineEdit[] = [];
  const wholes = new Map<number, Whole>();
  let id = 0;
  return {
    rows,
    wholes,
    load: async () => [...rows],
    add: async (epoch, update) => {
      rows.push({ id: ++id, epoch, update });
      return id;
    },
    remove: async (ids) => {
      for (const gone of ids)
        rows.splice(
          rows.findIndex((row) => row.id === gone),
          1,
        );
    },
    keepWhole: async (epoch, whole) => void wholes.set(epoch, whole),
    whole: async (epoch) => wholes.get(epoch),
    dropWhole: async (epoch) => void wholes.delete(epoch),
  };
}

let relay: FakeRelay;
const open: SharedDraft[] = [];

async function page(account = 'a_ann', kept = browser()) {
  const connection = new FakePage(relay, account);
  const draft = await openSharedDraft({ pipeline: 'p_x', wire: connection, kept, types });
  if ('kind' in draft) throw new Error(draft.reason);
  open.push(draft);
  return { draft, connection, kept };
}

const nameOf = ({ document }: Pick<SharedDraft, 'document'>) =>
  document.read().pipeline.nodes.get('n_a')?.name;
const rename = (name: string) => ({ kind: 'rename-node', node: 'n_a', name }) as const;
const settle = (ms = 1_500) => vi.advanceTimersByTimeAsync(ms);
const typeInto = ({ document, typing }: SharedDraft, text: string, at = 0) =>
  document.doc.transact(() => document.code('n_a')?.insert(at, text), typing);

beforeEach(() => {
  vi.useFakeTimers();
  relay = new FakeRelay(files);
});
afterEach(() => {
  for (const draft of open.splice(0)) draft.close();
  vi.useRealTimers();
});

describe('a draft several pages share', () => {
  it('an edit is saving until the server has it, then saved, and others see it', async () => {
    const one = await page();
    const two = await page('a_ben');
    one.draft.run(rename('tally'));
    expect(one.draft.state().save.kind).toBe('saving');
    await settle();
    expect(one.draft.state().save.kind).toBe('saved');
    expect(nameOf(two.draft)).toBe('tally');
    expect(one.kept.rows).toEqual([]);
  });

  it('both go on while they are apart, say so, and agree when they meet', async () => {
    const one = await page();
    const two = await page('a_ben');
    one.connection.cut();
    one.draft.run(rename('offline'));
    typeInto(one.draft, '// one\n');
    typeInto(two.draft, '// two\n');
    two.draft.run({ kind: 'rename-pipeline', name: 'Y' });
    await settle(10_000);
    expect(one.draft.state().save).toMatchObject({
      kind: 'unsaved',
      reason: expect.stringContaining('kept'),
    });
    expect(one.kept.rows).toHaveLength(2);
    one.connection.mend();
    await settle();
    expect(one.draft.state().save.kind).toBe('saved');
    for (const { draft } of [one, two]) {
      expect(nameOf(draft)).toBe('offline');
      expect(draft.document.read().pipeline.name).toBe('Y');
    }
    const texts = [one, two].map(({ draft }) => draft.document.code('n_a')?.toString());
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('// one\n');
    expect(texts[0]).toContain('// two\n');
  });

  it('OB1: what was not acknowledged when the tab was closed is sent by the next one', async () => {
    const one = await page();
    one.connection.cut();
    one.draft.run(rename('kept'));
    await settle();
    one.draft.close();
    const next = await page('a_ann', one.kept);
    await settle();
    expect(nameOf(relay)).toBe('kept');
    expect(nameOf(next.draft)).toBe('kept');
    expect(next.kept.rows).toEqual([]);
  });

  it('SD2: an acknowledgement that was lost costs nothing', async () => {
    const one = await page();
    relay.nextUpdate = 'no-answer';
    one.draft.run(rename('once'));
    typeInto(one.draft, 'x');
    await settle(5_000);
    expect(one.draft.state().save.kind).toBe('saved');
    expect(relay.document.code('n_a')?.toString()).toBe('xone\n');
  });

  it('an edit the server refuses ends the editing, says why and keeps what was done to download', async () => {
    const one = await page();
    relay.nextUpdate = { ok: false, code: 'draft-too-large', detail: 'The draft has reached 32 MB.' };
    one.draft.run(rename('too much'));
    await settle();
    expect(one.draft.ended()).toMatchObject({ code: 'draft-too-large' });
    expect(one.draft.ended()?.rescue?.files.get('pipeline.json')).toContain('too much');
    expect(one.draft.state().save.kind).toBe('unsaved');
    expect(one.draft.run(rename('more')).kind).toBe('refused');
  });

  it('OB1: an edit the server has refused does not end the next page too, and is offered there', async () => {
    const one = await page();
    relay.nextUpdate = { ok: false, code: 'too-large', detail: 'An update has at most 1 MB.' };
    one.draft.run(rename('too much'));
    await settle();
    one.draft.close();
    const { draft } = await page('a_ann', one.kept);
    await settle();
    expect(draft.ended()).toBeUndefined();
    expect(nameOf(draft)).toBe('count');
    expect(draft.leftOver?.files?.get('pipeline.json')).toContain('too much');
    draft.run(rename('on'));
    await settle();
    expect(nameOf(relay)).toBe('on');
  });

  it('SD3: edits that waited while the document was made anew are offered as a draft of their own', async () => {
    const one = await page();
    one.connection.cut();
    one.draft.run(rename('offline'));
    await settle(2_000);
    expect(one.kept.wholes.size).toBe(1);
    one.draft.close();
    relay.epoch = 2;
    const { draft } = await page('a_ann', one.kept);
    expect(nameOf(draft)).toBe('count');
    expect(draft.leftOver?.files?.get('pipeline.json')).toContain('offline');
    await draft.leftOver?.forget();
    expect([one.kept.rows.length, one.kept.wholes.size]).toEqual([0, 0]);
    expect((await page('a_ann', one.kept)).draft.leftOver).toBeUndefined();
  });

  it('the whole document is kept only while edits of it wait', async () => {
    const one = await page();
    one.draft.run(rename('online'));
    await settle();
    expect(one.kept.wholes.size).toBe(0);
    one.connection.cut();
    one.draft.run(rename('offline'));
    await settle(2_000);
    expect(one.kept.wholes.size).toBe(1);
    one.connection.mend();
    await settle(3_000);
    expect(one.draft.state().save.kind).toBe('saved');
    expect(one.kept.wholes.size).toBe(0);
  });

  it('SD3: a document of another epoch is never mixed with this one', async () => {
    const one = await page();
    one.connection.cut();
    one.draft.run(rename('of before'));
    relay.epoch = 2;
    one.connection.mend();
    await settle();
    expect(one.draft.ended()).toMatchObject({ code: 'renewed', rescue: { files: expect.any(Map) } });
    expect(nameOf(relay)).toBe('count');
  });

  it('a right that is withdrawn makes it read-only; one that comes back lets it go on', async () => {
    const one = await page();
    one.connection.tell({ canEdit: false, detail: 'You may look.' });
    expect(one.draft.state().save).toEqual({ kind: 'read-only', reason: 'You may look.' });
    expect(one.draft.run(rename('no')).kind).toBe('refused');
    one.connection.tell({ canEdit: true });
    one.draft.run(rename('yes'));
    await settle();
    expect(nameOf(relay)).toBe('yes');
  });

  it('a room the server closed is opened again, and edits of meanwhile arrive', async () => {
    const one = await page();
    one.connection.end('behind');
    one.draft.run(rename('meanwhile'));
    await settle(3_000);
    expect(nameOf(relay)).toBe('meanwhile');
    one.connection.end('not-allowed');
    expect(one.draft.ended()?.code).toBe('not-allowed');
  });
});

describe('what a user may take back', () => {
  it('survives a reload: typing and commands, one step each', async () => {
    const one = await page();
    one.draft.run(rename('tally'));
    typeInto(one.draft, 'typed ');
    await settle();
    one.draft.close();
    const next = await page();
    expect(next.draft.undo().kind).toBe('stepped');
    expect(next.draft.document.code('n_a')?.toString()).toBe('one\n');
    next.draft.undo();
    expect(nameOf(next.draft)).toBe('count');
    expect(next.draft.redo().kind).toBe('stepped');
    await settle();
    expect(nameOf(relay)).toBe('tally');
  });

  it('is shared by the tabs of that user and works without a connection', async () => {
    const one = await page();
    const tab = await page();
    const ben = await page('a_ben');
    one.draft.run(rename('tally'));
    await settle();
    expect(tab.draft.state().undo).toBe('rename-node');
    expect(ben.draft.state().undo).toBeUndefined();
    tab.connection.cut();
    tab.draft.undo();
    expect(nameOf(tab.draft)).toBe('count');
    tab.connection.mend();
    await settle();
    expect(nameOf(one.draft)).toBe('count');
    expect(one.draft.state()).toMatchObject({ undo: undefined, redo: 'rename-node' });
  });

  it('a node one deletes while another types in it comes back whole', async () => {
    const one = await page();
    const two = await page('a_ben');
    two.connection.cut();
    one.draft.run({ kind: 'delete', nodes: ['n_a'] });
    typeInto(two.draft, 'typed ');
    await settle();
    two.connection.mend();
    await settle();
    expect(one.draft.document.read().pipeline.nodes.size).toBe(0);
    one.draft.undo();
    await settle();
    for (const { draft } of [one, two]) expect(draft.document.code('n_a')?.toString()).toBe('typed one\n');
    expect(two.draft.document.read().pipeline.nodes.size).toBe(1);
  });
});

describe('presence', () => {
  it('sends what changed, a dozen times a second at most, and again after a reconnect', async () => {
    const one = await page();
    for (let x = 0; x < 100; x++) one.draft.presence.show({ cursor: [x, 0] });
    await settle(0);
    expect(one.connection.presences).toEqual([{ pipeline: 'p_x', state: { cursor: [99, 0] } }]);
    for (let x = 0; x < 20; x++) {
      one.draft.presence.show({ cursor: [x, 1] });
      await settle(10);
    }
    expect(one.connection.presences.length).toBeLessThan(6);
    one.connection.cut();
    one.connection.presences.length = 0;
    one.connection.mend();
    await settle();
    expect(one.connection.presences).toHaveLength(1);
  });

  it('shows others until they are gone', async () => {
    const one = await page();
    const ben = { client: 7, account: 'a_ben', name: 'ben', state: {} };
    one.connection.tell({ peers: [ben] });
    expect(one.draft.presence.peers()).toEqual([ben]);
    one.connection.tell({ gone: [7] });
    expect(one.draft.presence.peers()).toEqual([]);
  });
});
