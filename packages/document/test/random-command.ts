/** Commands somebody might give now: ids are picked from the draft as it reads, sometimes one that is gone. */
import fc from 'fast-check';
import { copySelection } from '../src/clipboard/selection.ts';
import type { Command } from '../src/commands/command.ts';
import type { PipelineDocument } from '../src/shape/open-document.ts';

export interface Dice {
  readonly what: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly text: string;
}

export const dice: fc.Arbitrary<Dice> = fc.record({
  what: fc.nat(999),
  a: fc.nat(999),
  b: fc.nat(999),
  c: fc.nat(999),
  text: fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r', '😀', '"'), maxLength: 8 }),
});

export function commandOf(document: PipelineDocument, { what, a, b, c, text }: Dice): Command {
  const { pipeline, layout, files } = document.read();
  const nodes = [...pipeline.nodes.keys()];
  const node = pick([...document.tables.nodes.keys()].sort(), a) ?? 'n_none';
  const other = pick(nodes, b) ?? 'n_none';
  const stream = pick([...pipeline.streams.keys()], a) ?? 's_none';
  const note = pick([...layout.notes.keys()], a) ?? 't_none';
  const group = pick([...layout.groups.keys()], b) ?? 'g_none';
  const file = pick([...files.keys()], a) ?? 'f_none';
  const code = pick([...document.codes.keys()].sort(), a) ?? 'n_none';
  const at = [a, b] as const;
  const commands: Command[] = [
    { kind: 'add-node', type: pick(['code', 'operator/map', 'sink/file'], c) ?? 'code', at, text: 'x\n' },
    { kind: 'rename-node', node, name: `name ${c % 5}` },
    {
      kind: 'set-setting',
      node,
      setting: pick(['path', '__x', 'constructor'], b) ?? '',
      value: { v: [c % 3] },
    },
    { kind: 'set-setting', node, setting: 'path', value: undefined },
    {
      kind: 'set-switch',
      node,
      switch: pick(['exactlyOnce', 'strong', 'idempotent'] as const, b) ?? 'strong',
      on: c % 2 === 0,
    },
    { kind: 'turn-into-code', node, text: 'turned\n' },
    { kind: 'connect', from: [node, 'out'], to: [other, 'in'] },
    { kind: 'disconnect', streams: [stream] },
    { kind: 'rewire', stream, to: [other, 'in2'] },
    { kind: 'splice-node', node: other, input: 'in', output: 'out', stream },
    { kind: 'set-key-by', stream, keyBy: text },
    { kind: 'rename-stream', stream, name: text },
    { kind: 'rename-output', node, from: 'out', to: `out${c % 3}` },
    { kind: 'delete', nodes: [node, other], rejoin: c % 2 === 0 },
    { kind: 'delete', streams: [stream], notes: [note] },
    { kind: 'restore', nodes: [node] },
    { kind: 'duplicate', nodes: [node, other], notes: [note], by: [10, 10] },
    { kind: 'paste', selection: copySelection(document, { nodes: nodes.slice(0, 2) }), at },
    {
      kind: 'move',
      places: [
        [node, at],
        [note, at],
      ],
    },
    { kind: 'resize', id: node, size: at },
    { kind: 'add-note', text, at },
    { kind: 'edit-note', note, text },
    { kind: 'group', nodes: nodes.slice(0, 2), name: 'g' },
    { kind: 'ungroup', groups: [group] },
    { kind: 'put-into-group', nodes: [other], group: c % 2 === 0 ? group : undefined },
    { kind: 'edit-group', group, collapsed: c % 2 === 0 },
    { kind: 'rename-pipeline', name: `p ${c}` },
    { kind: 'set-parameter', parameter: `q${a % 2}`, type: 'string', default: text },
    { kind: 'delete-parameter', parameter: `q${a % 2}` },
    { kind: 'add-file', path: `lib/f${a % 3}.ts`, text },
    { kind: 'rename-file', file, path: `lib/g${b % 3}.ts` },
    { kind: 'delete-files', files: [file] },
  ];
  // Typing is most of what people do.
  if (what % 2 === 0) return typing(document, code, b, c, text);
  return commands[(what >> 1) % commands.length] as Command;
}

function typing(document: PipelineDocument, code: string, b: number, c: number, text: string): Command {
  const length = document.code(code)?.length ?? 0;
  const at = b % (length + 1);
  const remove = Math.min(c % 4, length - at);
  return { kind: 'edit-code', code, splices: [{ at, remove, insert: text }] };
}

function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % Math.max(from.length, 1)];
}
