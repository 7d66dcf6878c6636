import { applyCommand, openDocument } from '@millrace/document';
import { expect, test } from 'vitest';
import { documentOfFiles, versionDraft } from '../../document/version-draft.ts';
import { standingsOf } from './standings.ts';

const PIPELINE = {
  format: 1,
  name: 'Doubling',
  nodes: {
    n_in: { type: 'injector/generator', name: 'numbers', config: { value: '{ n }', type: '{ n: number }' } },
    n_pass: { type: 'code', name: 'pass', code: 'nodes/pass.ts' },
    n_out: { type: 'sink/discard', name: 'out' },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_pass', 'in'], keyBy: 'value.n' },
    s_out: { from: ['n_pass', 'n'], to: ['n_out', 'in'] },
  },
};
const FILES = { 'pipeline.json': JSON.stringify(PIPELINE), 'nodes/pass.ts': 'export default 1;\n' };
const random = (): number => Math.random();

function versionAndDraft() {
  const running = { number: 4, document: documentOfFiles(FILES) };
  return { running, draft: documentOfFiles(FILES) };
}

test('what is equal is the same, wherever it lies and whatever it is called', () => {
  const { running, draft } = versionAndDraft();
  applyCommand(draft, { kind: 'move', places: [['n_out', [900, 900]]] }, { random });
  applyCommand(draft, { kind: 'rename-node', node: 'n_out', name: 'bin' }, { random });
  const { nodes, goneNodes } = standingsOf(draft, running);
  expect([...nodes.values()].map(({ kind }) => kind)).toEqual(['same', 'same', 'same']);
  expect(goneNodes).toEqual([]);
});

test('typing makes a node another than the running one, and taking it back makes it the same', () => {
  const { running, draft } = versionAndDraft();
  draft.code('n_pass')?.insert(0, '// ');
  expect(standingsOf(draft, running).nodes.get('n_pass')).toEqual({ kind: 'changed', aspects: ['code'] });
  draft.code('n_pass')?.delete(0, 3);
  expect(standingsOf(draft, running).nodes.get('n_pass')).toEqual({ kind: 'same' });
});

test('a new node is not deployed, a removed one is gone with its streams', () => {
  const { running, draft } = versionAndDraft();
  const added = applyCommand(draft, { kind: 'add-node', type: 'sink/discard', at: [0, 0] }, { random });
  applyCommand(draft, { kind: 'delete', nodes: ['n_out'], rejoin: false }, { random });
  const standings = standingsOf(draft, running);
  const [made] = added.kind === 'applied' ? added.made : [];
  expect(standings.nodes.get(made ?? '')).toEqual({ kind: 'new' });
  expect(standings.nodes.get('n_pass')).toEqual({ kind: 'changed', aspects: ['outputs'] });
  expect(standings.goneNodes).toEqual(['n_out']);
  expect(standings.goneStreams).toEqual(['s_out']);
});

test('a version takes no edit, and says why', () => {
  const draft = versionDraft(documentOfFiles(FILES), 'This is version 4.');
  expect(draft.run({ kind: 'rename-pipeline', name: 'x' })).toMatchObject({
    kind: 'refused',
    reason: 'This is version 4.',
  });
  expect(draft.document.read().pipeline.name).toBe('Doubling');
  expect(draft.state().save).toEqual({ kind: 'read-only', reason: 'This is version 4.' });
});

test('a folder nobody can read is an empty pipeline, not an error', () => {
  expect(documentOfFiles({ 'pipeline.json': '{' }).read().pipeline.nodes.size).toBe(0);
  expect(openDocument().read().pipeline.nodes.size).toBe(0);
});
