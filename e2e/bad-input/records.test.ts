/** Input that cannot be processed: each such record is set aside with its place, and its neighbours are not touched. */
import { describe, expect, it } from 'vitest';
import {
  type DeadLetter,
  deadLetters,
  linesOf,
  pipelineFolder,
  recordsOf,
  rows,
  sharedData,
} from '../support/folders.ts';
import { finished, nodeOf, run } from '../support/millrace.ts';
import { chain, code, file, out, step } from '../support/nodes.ts';

const data = sharedData();
const flags = () => ['--data', data.path];

/** Byte offset at which each line begins. */
function offsets(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const begin = at;
    at += Buffer.byteLength(line) + 1;
    return begin;
  });
}

const at = (letters: readonly DeadLetter[], offset: number | undefined) =>
  letters.find(({ origin }) => new RegExp(`in\\.jsonl(@| at offset )${offset}\\b`).test(origin));

describe('lines that are no records', () => {
  const good = (n: number) => JSON.stringify({ n, at: 1_000 + n });
  const cases: readonly (readonly [string, RegExp | undefined])[] = [
    [good(0), undefined],
    ['{"n": 1, "at": 5', /JSON/],
    [good(2), undefined],
    ['not JSON at all', /JSON/],
    ['{"n":4}', /timestamp is missing/],
    ['{"n":5,"at":null}', /timestamp is null.*must be a number/],
    ['{"n":6,"at":"soon"}', /timestamp "soon" is not ISO 8601 .*convert it/],
    ['{"n":7,"at":"NaN"}', /timestamp "NaN" is not ISO 8601/],
    ['{"n":8,"at":1e400}', /./],
    ['{"n":9,"at":{"year":2020}}', /timestamp is an object: it must be a number/],
    ['{"n":10,"at":4078857600000}', /2099-.*further in the future.*correct the record, or set futureBound/],
    ['{"n":11,"at":1e17}', /outside the range of dates: check the unit/],
    [good(12), undefined],
    ['{"n":13,"at":"NaN as number"}', /not ISO 8601/],
    ['\u0000', /JSON/],
    [`{"n":15,"at":15,"big":"${'x'.repeat(9 * 1024 * 1024)}"}`, /longer than 8 MiB, the limit: split it/],
    [good(16), undefined],
    ['{"n":17,"at":17} {"n":18,"at":18}', /JSON/],
    ['', undefined],
    ['{"n":19,"at":true}', /timestamp is true: it must be a number/],
    [good(20), undefined],
  ];

  it('P8, W7: each is a dead letter with node, file, offset, reason and remedy; every other line is there once', async () => {
    const lines = cases.map(([line]) => line);
    const folder = await pipelineFolder(
      chain({
        input: { timestamp: "value.at === 'NaN as number' ? NaN : value.at", type: '{ n: number; at: any }' },
      }),
      { 'in.jsonl': lines.join('\n'), 'nodes/step.ts': step(`ctx.produce('out', { n: value.n });`) },
    );
    const { summary, stderr } = await finished(run(folder, flags()));
    expect(recordsOf(folder).map(({ value }) => value)).toEqual([0, 2, 12, 16, 20].map((n) => ({ n })));

    const letters = await deadLetters(data.path, folder);
    const places = offsets(lines);
    const expected = cases.flatMap(([, reason], i) =>
      reason === undefined ? [] : [{ reason, place: places[i] }],
    );
    for (const { reason, place } of expected) {
      const letter = at(letters, place);
      expect(letter, `offset ${place}`).toBeDefined();
      expect(letter?.node).toBe('n_in');
      expect(letter?.error).toMatch(i13(reason, letter?.error));
      expect(letter?.input.length).toBeLessThan(100_000);
    }
    expect(letters).toHaveLength(expected.length);
    const { deadLettered, setAside, out: made } = nodeOf(summary, 'n_in');
    expect({ deadLettered, setAside, made }).toEqual({
      deadLettered: expected.length - 1,
      setAside: 1,
      made: 5,
    });
    // What a person sees: node, place, reason, remedy.
    expect(stderr).toMatch(/dead letter in input: in\.jsonl at offset \d+/);
    expect(stderr).toContain(
      'Correct this place of the input, or the settings of the injector; what follows it was read.',
    );
  });
});

/** `NaN` reaches the rule through the expression. */
const i13 = (reason: RegExp, found: string | undefined): RegExp =>
  found?.includes('timestamp is NaN') ? /timestamp is NaN: the record has no usable time/ : reason;

describe('keys', () => {
  const keys = ['', '__proto__', 'a\u0000b', '😀', 'constructor', 'k'.repeat(10_240), '1', ' '];

  it('G2: "", __proto__, U+0000, emoji and 10 kB are keys like any other, at one worker and at three', async () => {
    const lines = [...keys, ...keys, ...keys].map((k, n) => JSON.stringify({ n, k }));
    const build = () =>
      pipelineFolder(chain({ input: { type: '{ n: number; k: string }' }, keyBy: 'value.k' }), {
        'in.jsonl': lines.join('\n'),
        'nodes/step.ts': step(`
          const seen = ctx.map('seen'); seen.set(ctx.key, ((seen.get(ctx.key) as number) ?? 0) + 1);
          ctx.state.set({ ...ctx.state.get(), [ctx.key]: value.n });
          ctx.produce('out', { seen: seen.get(ctx.key), own: Object.keys(ctx.state.get()).length, same: ctx.key === value.k });`),
      });
    for (const workers of ['1', '3']) {
      const folder = await build();
      const { summary } = await finished(run(folder, [...flags(), '--workers', workers]));
      expect(summary.deadLetters).toEqual([]);
      const found = recordsOf(folder);
      expect(found.map(({ key, value }) => JSON.stringify([key, value])).sort()).toEqual(
        keys
          .flatMap((key) => [1, 2, 3].map((seen) => JSON.stringify([key, { seen, own: 1, same: true }])))
          .sort(),
      );
    }
  });

  it('G2: an extractor that throws, or gives what is no key, sets that record aside and no other', async () => {
    const bad: readonly (readonly [unknown, RegExp])[] = [
      [{ n: 1 }, /Cannot read properties of undefined/],
      [{ n: 3, o: { k: 1.5 } }, /the key is 1\.5: a number used as a key must be a safe integer/],
      [{ n: 5, o: { k: null } }, /the key is null: a key is a string, a bigint or a safe integer/],
      [{ n: 7, o: { k: {} } }, /the key is a object|the key is an object/],
      [{ n: 9, o: { k: '\ud800' } }, /lone surrogate/],
      [{ n: 11, o: { k: 'x'.repeat(17_000) } }, /more than 16384 bytes/],
    ];
    const lines = bad.flatMap(([value], i) => [
      JSON.stringify({ n: 2 * i, o: { k: 'a' } }),
      JSON.stringify(value),
    ]);
    lines.push(JSON.stringify({ n: 12, o: { k: 12 } }), JSON.stringify({ n: 13, o: { k: '12' } }));
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; o: { k: any } }' }, keyBy: 'value.o.k' }),
      {
        'in.jsonl': lines.join('\n'),
        'nodes/step.ts': step(
          `const n = (ctx.state.get() ?? 0) + 1; ctx.state.set(n); ctx.produce('out', n);`,
        ),
      },
    );
    const { summary } = await finished(run(folder, flags()));
    expect(recordsOf(folder).map(({ key, value }) => [key, value])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((n) => ['a', n]),
      ['12', 1],
      ['12', 2],
    ]);
    const letters = await deadLetters(data.path, folder);
    const places = offsets(lines);
    for (const [i, [, reason]] of bad.entries()) {
      const letter = at(letters, places[2 * i + 1]);
      expect(letter?.error).toMatch(reason);
      expect(letter?.node).toBe('n_step');
      expect(letter?.origin).toContain('whose key could not be made');
    }
    expect([letters.length, nodeOf(summary, 'n_step').deadLettered]).toEqual([6, 6]);
  });
});

describe('values', () => {
  it('integers beyond 2^53 keep their digits from JSON through user code and state to file and Postgres', async () => {
    const digits = [
      '9007199254740993',
      '-9007199254740993',
      '123456789012345678901234567890',
      '18446744073709551615',
      '0',
    ];
    const lines = digits.map((d, n) => `{"n":${n},"big":${d},"deep":[{"b":${d}}],"at":${n}}`);
    const table = {
      big: { from: 'value.big', type: 'numeric' },
      value: { from: 'value' },
      key: { from: 'key' },
    };
    const folder = await pipelineFolder(
      {
        nodes: {
          n_in: file('in.jsonl', {
            type: '{ n: number; at: number; big: bigint; deep: { b: bigint }[] }',
            timestamp: 'value.at',
          }),
          n_step: code('step', 'step'),
          n_out: out(),
          n_raw: out('raw.jsonl'),
          n_table: { type: 'sink/postgres', name: 'table', config: { table: 'big_numbers', columns: table } },
        },
        streams: {
          s_in: { from: ['n_in', 'out'], to: ['n_step', 'in'], keyBy: 'value.big' },
          s_raw: { from: ['n_in', 'out'], to: ['n_raw', 'in'] },
          s_out: { from: ['n_step', 'out'], to: ['n_out', 'in'] },
          s_table: { from: ['n_step', 'out'], to: ['n_table', 'in'] },
        },
      },
      {
        'in.jsonl': lines.join('\n'),
        'nodes/step.ts': step(
          `ctx.state.set(value); const kept = ctx.state.get() ;
           ctx.produce('out', { n: kept.n, big: kept.big, deep: kept.deep });`,
        ),
      },
    );
    const { summary } = await finished(run(folder, [...flags(), '--workers', '2']));
    expect(summary.deadLetters).toEqual([]);
    const lineOf = (d: string, n: number, key: string) =>
      `{"key":${JSON.stringify(key)},"value":{"n":${n},"big":${d},"deep":[{"b":${d}}]},"timestamp":${n}}`;
    expect(linesOf(folder).sort()).toEqual(digits.map((d, n) => lineOf(d, n, d)).sort());
    for (const d of digits)
      expect(linesOf(folder, 'raw.jsonl').join()).toContain(`"big":${d},"deep":[{"b":${d}}]`);
    const found = await rows(
      data.path,
      `select key, big::text as big, value::text as value from data.big_numbers order by value -> 'n'`,
    );
    expect(found.map(({ key, big }) => [key, big])).toEqual(digits.map((d) => [d, d]));
    for (const [n, d] of digits.entries()) expect(String(found[n]?.value)).toContain(`"deep": [{"b": ${d}}]`);
  });

  it('P7: a value that a sink cannot take is set aside at that sink, and the rows around it are there', async () => {
    const values = ['a', 'b\u0000', 'c', '\ud83d', 'e'];
    const folder = await pipelineFolder(
      {
        nodes: {
          n_in: file('in.jsonl', { type: '{ t: string }' }),
          n_out: out(),
          n_table: {
            type: 'sink/postgres',
            name: 'table',
            config: { table: 'zero_bytes', columns: { t: { from: 'value.t', type: 'text' } } },
          },
        },
        streams: {
          s_out: { from: ['n_in', 'out'], to: ['n_out', 'in'] },
          s_table: { from: ['n_in', 'out'], to: ['n_table', 'in'] },
        },
      },
      { 'in.jsonl': values.map((t) => JSON.stringify({ t })).join('\n') },
    );
    const { summary } = await finished(run(folder, flags()));
    expect(recordsOf(folder).map(({ value }) => value)).toEqual(values.map((t) => ({ t })));
    const found = await rows(data.path, 'select t from data.zero_bytes order by t');
    expect(found.map(({ t }) => t)).toEqual(['a', 'c', 'e']);
    const letters = await deadLetters(data.path, folder);
    expect(letters.map(({ node, error }) => [node, /unicode|Unicode|\\u0000/.test(error)])).toEqual([
      ['n_table', true],
      ['n_table', true],
    ]);
    expect(letters[0]?.origin).toContain('in.jsonl@');
    expect(nodeOf(summary, 'n_table').deadLettered).toBe(2);
  });
});

describe('user code that throws', () => {
  it('P8: null, text, errors and rejections are dead letters with their line; nothing they did is kept', async () => {
    const kinds = ['ok', 'null', 'text', 'error', 'undefined', 'write', 'nan', 'symbol', 'dead', 'ok'];
    const input = kinds.map((kind, n) => ({ n, kind, k: n % 2 === 0 ? 'even' : 'odd' }));
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; kind: string; k: string }' }, keyBy: 'value.k' }),
      {
        'in.jsonl': input.map((value) => JSON.stringify(value)).join('\n'),
        'nodes/step.ts': step(
          `const seen = (ctx.state.get() ?? 0) + 1;
    ctx.state.set(seen); ctx.map('m').set(value.n, true); ctx.setTimer('t' + value.n, 5); ctx.produce('out', { n: value.n, seen });
    if (value.kind === 'null') throw null;
    if (value.kind === 'text') throw 'plain text';
    if (value.kind === 'error') throw new RangeError('out of range');
    if (value.kind === 'undefined') throw undefined;
    if (value.kind === 'write') (value as any).n = 5;
    if (value.kind === 'nan') ctx.produce('out', { bad: NaN });
    if (value.kind === 'symbol') throw Symbol('odd one');
    if (value.kind === 'dead') throw { toString() { throw 1; }, get message() { throw 2; } };`,
          { timer: `ctx.produce('out', { timer: timer.tag, size: ctx.map('m').size });` },
        ),
      },
    );
    await finished(run(folder, flags()));
    const found = recordsOf(folder).map(({ key, value }) => ({ key, ...(value as object) }));
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { key: 'even', n: 0, seen: 1 },
        { key: 'odd', n: 9, seen: 1 },
        { key: 'even', timer: 't0', size: 1 },
        { key: 'odd', timer: 't9', size: 1 },
      ]),
    );
    const letters = await deadLetters(data.path, folder);
    expect(letters).toHaveLength(8);
    const of = (n: number) => letters.find(({ input: text }) => text.includes(`"n":${n},`));
    expect(of(1)?.error).toContain('null was thrown');
    expect(of(2)?.error).toContain('plain text');
    expect(of(3)?.error).toBe('RangeError: out of range');
    expect(of(3)?.stack).toMatch(/nodes\/step\.ts:\d+:\d+/);
    expect(of(5)?.error).toContain('structuredClone');
    expect(of(6)?.error).toContain('value.bad is NaN');
    for (const letter of letters) {
      expect(letter).toMatchObject({
        node: 'n_step',
        attempts: 3,
        origin: expect.stringMatching(/in\.jsonl@\d+ on "in"/),
      });
    }
    expect(of(7)?.key).toBe('odd');
  });
});
