/** What editing costs in a large draft: printed, not asserted, since the machine decides. */
import { canonicalJson, readFolder } from '@millrace/graph';
import { expect, it } from 'vitest';
import * as Y from 'yjs';
import { seeded } from '../test/random.ts';
import { applyCommand } from './commands/apply-command.ts';
import type { Command } from './commands/command.ts';
import { seedDocument } from './folder/seed-document.ts';
import { toFolder } from './folder/to-folder.ts';
import { EMPTY_HISTORY } from './history/history.ts';
import { record } from './history/record.ts';
import { undo } from './history/undo.ts';
import { openShadow } from './relay/shadow.ts';
import { openDocument } from './shape/open-document.ts';

const NODES = 1_000;
const RUNS = 15;

const commands: Readonly<Record<string, (run: number) => Command>> = {
  'edit-code': (i) => ({
    kind: 'edit-code',
    code: 'n_500',
    splices: [{ at: 700 + i, remove: 0, insert: 'x' }],
  }),
  'set-setting': (i) => ({ kind: 'set-setting', node: 'n_7', setting: 'a', value: { i } }),
  'add-node': (i) => ({ kind: 'add-node', type: 'code', at: [i, i], text: 'x' }),
  connect: (i) => ({ kind: 'connect', from: ['n_1', `out${i}`], to: ['n_999', 'in'] }),
  'move 100 nodes': (i) => ({
    kind: 'move',
    places: Array.from({ length: 100 }, (_, n) => [`n_${n}`, [n, i]] as const),
  }),
  delete: (i) => ({ kind: 'delete', nodes: [`n_${400 + i}`], rejoin: true }),
};

it('a thousand nodes with 1.5 kB of code each can be loaded, edited and relayed', () => {
  const seeding = seedDocument(readFolder(large()), { epoch: 1, clientId: 1, random: seeded(1) });
  const state = Y.encodeStateAsUpdate(seeding.doc);
  const times: Record<string, string> = { bytes: String(state.length) };
  const timed = <T>(what: string, work: () => T): T => {
    const start = performance.now();
    const result = work();
    times[what] = `${(performance.now() - start).toFixed(2)} ms`;
    return result;
  };
  const draft = openDocument({ clientId: 5_000 });
  timed('load', () => {
    Y.applyUpdate(draft.doc, state);
    draft.read();
  });
  const relay = timed('open the relay', () => openShadow(state));
  const updates: Uint8Array[] = [];
  draft.doc.on('update', (update: Uint8Array) => updates.push(update));
  const sender = { clientIds: new Set([5_000]) };
  const random = seeded(9);
  for (const [kind, commandOf] of Object.entries(commands)) {
    const spent: number[][] = [[], [], []];
    for (let i = 0; i < RUNS; i++) {
      const marks = [performance.now()];
      const result = applyCommand(draft, commandOf(i), { random });
      marks.push(performance.now());
      draft.read();
      marks.push(performance.now());
      expect(result.kind).toBe('applied');
      for (const update of updates.splice(0)) expect(relay.take(update, sender).kind).toBe('taken');
      marks.push(performance.now());
      spent.forEach((list, n) => {
        list.push((marks[n + 1] ?? 0) - (marks[n] ?? 0));
      });
      if (result.kind !== 'applied' || kind !== 'delete') continue;
      const history = record(EMPTY_HISTORY, { label: kind, at: 0, epoch: 1, changes: result.changes });
      timed('undo of delete', () => undo(draft, history, 0));
      for (const update of updates.splice(0)) relay.take(update, sender);
    }
    times[`${kind}: command, read, relay`] = spent.map((list) => `${median(list).toFixed(2)}`).join(' · ');
  }
  timed('to folder', () => toFolder(draft));
  console.table(times);
});

function median(of: number[]): number {
  return of.sort((a, b) => a - b)[of.length >> 1] ?? 0;
}

function large(): Map<string, string> {
  const files = new Map<string, string>();
  const nodes: Record<string, unknown> = {};
  const streams: Record<string, unknown> = {};
  const places: Record<string, unknown> = {};
  for (let i = 0; i < NODES; i++) {
    nodes[`n_${i}`] = { type: 'code', name: `node ${i}`, code: `nodes/n${i}.ts` };
    places[`n_${i}`] = { at: [(i % 40) * 200, Math.floor(i / 40) * 120] };
    files.set(`nodes/n${i}.ts`, `// node ${i}\n${'const line = 1;\n'.repeat(93)}`);
    for (const step of [1, 40]) {
      if (i >= step && (step === 1 || i % 2 === 0)) {
        streams[`s_${i}x${step}`] = { from: [`n_${i - step}`, 'out'], to: [`n_${i}`, `in${step}`] };
      }
    }
  }
  files.set('pipeline.json', canonicalJson({ format: 1, name: 'large', nodes, streams }));
  files.set('layout.json', canonicalJson({ nodes: places }));
  return files;
}
