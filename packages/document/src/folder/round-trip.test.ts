import { canonicalJson, type PipelineFiles, readFolder, setOwn, writeFolder } from '@millrace/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { draftOf, flights } from '../../test/fixture.ts';
import { seeded } from '../../test/random.ts';
import { applyCommand } from '../commands/apply-command.ts';
import { EMPTY_HISTORY } from '../history/history.ts';
import { record } from '../history/record.ts';
import { undo } from '../history/undo.ts';
import { openDocument } from '../shape/open-document.ts';
import { emptyDoc } from '../shape/roots.ts';
import { toFolder } from './to-folder.ts';

describe('a draft and its folder', () => {
  it('reads back as the very folder it was seeded from', () => {
    expect([...toFolder(draftOf())].sort()).toEqual([...flights()].sort());
    expect(draftOf().read().problems).toEqual([]);
  });

  it('any folder in canonical form comes back byte by byte, also at another peer', () => {
    fc.assert(
      fc.property(folders(), (files) => {
        const folder = readFolder(files);
        const canonical = writeFolder(folder.pipeline, folder.files);
        const draft = draftOf(files);
        const peer = openDocument({ doc: emptyDoc(2) });
        Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(draft.doc));
        expect([...toFolder(draft)]).toEqual([...canonical]);
        expect([...toFolder(peer)]).toEqual([...canonical]);
        expect(peer.read().problems).toEqual([]);
      }),
    );
  });

  it('a folder applied to any draft makes it that folder, and undo makes it what it was', () => {
    fc.assert(
      fc.property(folders({ sound: true }), folders({ sound: true }), (before, files) => {
        const draft = draftOf(before);
        const [was, folder] = [[...toFolder(draft)], readFolder(files)];
        const result = applyCommand(draft, { kind: 'apply-folder', folder }, { random: seeded(1) });
        if (result.kind === 'refused') {
          expect(result.code).toBe('bad-setting');
          return;
        }
        expect([...toFolder(draft)]).toEqual([...writeFolder(folder.pipeline, folder.files)]);
        const step = { label: 'import', at: 0, epoch: 1, changes: result.changes };
        undo(draft, record(EMPTY_HISTORY, step), 0);
        expect([...toFolder(draft)]).toEqual(was);
      }),
      { numRuns: 60 },
    );
  });

  it('settings named __proto__ and constructor are settings like others', () => {
    const odd = { a: setOwnOf({}, '__proto__', { b: 1 }), constructor: { c: 2 } };
    const pipeline = { format: 1, name: 'x', nodes: { n_1: { type: 'sink/file', name: 'a', config: odd } } };
    const files = new Map([['pipeline.json', canonicalJson(pipeline)]]);
    const folder = readFolder(files);
    expect([...toFolder(draftOf(files))]).toEqual([...writeFolder(folder.pipeline, folder.files)]);
  });
});

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => {
  return text.trim() !== '' && !/\p{Cc}|\p{Surrogate}/u.test(text);
});
const source = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((text) => text.replace(/[\r\p{Surrogate}]/gu, ''));
const point = fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -5000, max: 5000 }));

/** Folders without the faults merging puts right: names, code files and wires are each there once. */
function folders(how = { sound: false }): fc.Arbitrary<PipelineFiles> {
  const node = fc.record({
    name,
    kind: fc.constantFrom('code', 'operator/map', 'odd/type'),
    config: fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
    switches: fc.record(
      { exactlyOnce: fc.boolean(), productions: fc.constantFrom('strong', 'weak'), idempotent: fc.boolean() },
      { requiredKeys: [] },
    ),
    code: source,
    at: fc.option(point, { nil: undefined }),
  });
  const stream = fc.record({
    from: fc.nat(),
    to: fc.nat(),
    port: fc.nat(3),
    keyBy: fc.option(source, { nil: undefined }),
    called: fc.option(name, { nil: undefined }),
  });
  return fc
    .record({
      name,
      nodes: fc.uniqueArray(node, { maxLength: 6, selector: (one) => one.name.trim() }),
      streams: fc.uniqueArray(stream, {
        maxLength: 8,
        selector: ({ from, to, port }) => `${from},${to},${port}`,
      }),
      lib: fc.option(source, { nil: undefined }),
      notes: fc.array(fc.record({ text: source, at: point }), { maxLength: 2 }),
    })
    .map((made) => filesOf(how.sound ? { ...made, streams: soundStreams(made) } : made));
}

interface Made {
  readonly name: string;
  readonly nodes: readonly {
    name: string;
    kind: string;
    config: unknown;
    switches: object;
    code: string;
    at?: unknown;
  }[];
  readonly streams: readonly {
    from: number;
    to: number;
    port: number;
    keyBy: string | undefined;
    called: string | undefined;
  }[];
  readonly lib: string | undefined;
  readonly notes: readonly unknown[];
}

/** Streams between nodes that are there: a stream to a node the draft has deleted is hidden, not an error. */
function soundStreams({ nodes, streams }: Made): Made['streams'] {
  const wires = new Map<string, Made['streams'][number]>();
  for (const stream of streams) {
    const [from, to] = [stream.from % nodes.length, stream.to % nodes.length];
    if (nodes.length > 0) wires.set(`${from},${to},${stream.port}`, { ...stream, from, to });
  }
  return [...wires.values()];
}

function filesOf({ name, nodes, streams, lib, notes }: Made): PipelineFiles {
  const files = new Map<string, string>();
  const places = Object.fromEntries(
    nodes.flatMap(({ at }, i) => (at === undefined ? [] : [[`n_${i}`, { at }]])),
  );
  const names = streams.flatMap(({ called }, i) =>
    called === undefined ? [] : [[`s_${i}`, { name: called }]],
  );
  const layout = {
    nodes: places,
    notes: Object.fromEntries(notes.map((note, i) => [`t_${i}`, note])),
    streams: Object.fromEntries(names) as object,
  };
  const graph = nodes.map(({ kind, name, config, switches, code }, i) => {
    if (kind === 'code') files.set(`nodes/n${i}.ts`, code);
    const path = kind === 'code' ? { code: `nodes/n${i}.ts` } : {};
    return [`n_${i}`, { type: kind, name, config, ...switches, ...path }];
  });
  const wires = streams.map(({ from, to, port, keyBy }, i) => {
    const ends = { from: [`n_${from}`, `out${port}`], to: [`n_${to}`, 'in'] };
    return [`s_${i}`, { ...ends, ...(keyBy === undefined ? {} : { keyBy }) }];
  });
  files.set(
    'pipeline.json',
    canonicalJson({ format: 1, name, nodes: new Map(graph as []), streams: new Map(wires as []) }),
  );
  if (nodes.some(({ at }) => at !== undefined) || notes.length + names.length > 0)
    files.set('layout.json', canonicalJson(compact(layout)));
  if (lib !== undefined) files.set('lib/a.ts', lib);
  return files;
}

function compact(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => Object.keys(member).length > 0));
}

function setOwnOf(target: object, key: string, value: unknown): object {
  setOwn(target, key, value);
  return target;
}
