import type { SourceMark } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWindow } from './byte-window.ts';
import { parseJson } from './exact-json.ts';
import { type IngestOptions, PartitionIngest } from './partition-ingest.ts';

const BASE: Omit<IngestOptions, 'format'> = {
  columns: undefined,
  delimiter: undefined,
  timestampRule: { unit: 'ms', zone: 'UTC' },
  slackMs: 0,
  exact: false,
  futureBoundMs: undefined,
  timestamp: () => 1,
  value: undefined,
  now: () => 0,
  beforeRecord: () => undefined,
};

type Item = readonly [position: number, what: unknown];

/** Reads bytes cut at the given places; gives the items, and the mark after each. */
function read(
  format: string,
  bytes: Uint8Array,
  cuts: readonly number[],
  options: Partial<IngestOptions> = {},
  mark?: SourceMark,
): { items: Item[]; marks: SourceMark[] } {
  const partition = new PartitionIngest('p', { ...BASE, format, ...options }, mark);
  const items: Item[] = [];
  const marks: SourceMark[] = [];
  const pull = () => {
    for (let item = partition.next(); item !== undefined; item = partition.next()) {
      if (item.kind === 'skipped') continue;
      items.push([
        item.position,
        item.kind === 'record' ? structuredClone(item.value) : `broken ${JSON.parse(item.input)}`,
      ]);
      marks.push(partition.takeMark() as SourceMark);
      if (items.length > 10_000) throw new Error('no step forward is made');
    }
  };
  let from = mark?.offset ?? 0;
  for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    if (to < from) continue;
    partition.push({ kind: 'bytes', offset: from, bytes: bytes.subarray(from, to) }, 1);
    from = to;
    pull();
  }
  partition.push({ kind: 'ended' }, 2);
  pull();
  expect(partition.offset).toBe(bytes.length);
  return { items, marks };
}

/** What is shown of a file that is no array at all depends on how much of it has come. */
const places = (format: string, items: readonly Item[]): readonly Item[] =>
  format === 'json'
    ? items.map(([at, what]) => [at, String(what).startsWith('broken') ? 'broken' : what])
    : items;

const utf8 = (text: string) => new TextEncoder().encode(text);
const texts = (format: string, text: string, options: Partial<IngestOptions> = {}) =>
  read(format, utf8(text), [], options).items;

/** Bytes among which the ones that scanners and UTF-8 decoding look at are common. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        '\n',
        '\r\n',
        '\r',
        ',',
        '"',
        '""',
        'a',
        '1',
        ' ',
        '[',
        ']',
        '{',
        '}',
        ':',
        '\\',
        '"x"',
        '{"a":1}',
        '\ufeff',
        'é',
        '€',
        '😀',
      )
      .map(utf8),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom([0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80], [0xff])
      .map((b) => Uint8Array.from(b)),
  },
);
const bytes = fc
  .array(piece, { maxLength: 30 })
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));
const jsonBytes = bytes.map((rest) => Uint8Array.of(0x5b, ...rest));
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const format = fc.constantFrom('jsonl', 'text', 'csv', 'json');

describe('scanners', () => {
  it('give the same records, texts and offsets wherever the bytes are cut', () => {
    fc.assert(
      fc.property(format, fc.oneof(bytes, jsonBytes), cuts, (format, bytes, cuts) => {
        expect(places(format, read(format, bytes, cuts).items)).toEqual(
          places(format, read(format, bytes, []).items),
        );
      }),
      { numRuns: 1500 },
    );
  });

  it('PI1: reading again from any mark gives the same rest', () => {
    fc.assert(
      fc.property(format, fc.oneof(bytes, jsonBytes), cuts, (format, bytes, cuts) => {
        const { items, marks } = read(format, bytes, []);
        marks.forEach((mark, i) => {
          expect(places(format, read(format, bytes, cuts, {}, mark).items)).toEqual(
            places(format, items.slice(i + 1)),
          );
        });
      }),
      { numRuns: 600 },
    );
  });

  it('P9: lines of text are the bytes of the file: none is lost, each lies where its offset says', () => {
    fc.assert(
      fc.property(bytes, cuts, (bytes, cuts) => {
        const starts = [0, ...[...bytes].flatMap((byte, i) => (byte === 10 ? [i + 1] : []))];
        const expected = starts.filter((start) => start < bytes.length);
        expect(read('text', bytes, cuts).items.map(([position]) => position)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('P9: a character that the end of the file cuts is read as "?" rather than dropped', () => {
    expect(read('text', Uint8Array.of(97, 10, 0xc3), []).items).toEqual([
      [0, 'a'],
      [2, '?'],
    ]);
    expect(read('text', Uint8Array.of(97, 0xe2, 0x82), [2]).items).toEqual([[0, 'a??']]);
  });

  it('a broken line is broken alone, with its offset', () => {
    expect(texts('jsonl', '\ufeff{"a":1}\r\n\n{oops\n{"a":2}')).toEqual([
      [0, { a: 1 }],
      [13, 'broken {oops'],
      [19, { a: 2 }],
    ]);
  });

  it('CSV: RFC 4180, quotes doubled, delimiters and line ends within them, CRLF or LF, no last line end', () => {
    expect(texts('csv', 'a,b\r\n"x,""y""","1\r\n2"\r\n,\n"",z')).toEqual([
      [5, { a: 'x,"y"', b: '1\r\n2' }],
      [23, { a: '', b: '' }],
      [25, { a: '', b: 'z' }],
    ]);
    expect(texts('csv', 'a;b\n1;2', { delimiter: ';' })).toEqual([[4, { a: '1', b: '2' }]]);
    expect(texts('csv', '__proto__\nx')).toEqual([[10, JSON.parse('{"__proto__":"x"}')]]);
  });

  it('CSV: names of columns with quotes of either kind stay what they are (R77)', () => {
    expect(texts('csv', `"it's","say ""no""",'x'\n1,2,3`)).toEqual([
      [24, { "it's": '1', 'say "no"': '2', "'x'": '3' }],
    ]);
  });

  it('CSV: a row of another length or with text behind a quote is broken alone; a broken header still names the columns', () => {
    expect(texts('csv', 'a,b\n1\n"1"x,2\n3,4')).toEqual([
      [4, 'broken 1\n'],
      [6, 'broken "1"x,2\n'],
      [13, { a: '3', b: '4' }],
    ]);
    expect(texts('csv', '"a"x,b\n1,2').at(-1)).toEqual(
      [7, { a: '"a"x'.slice(1, 2), b: '2' }].with(1, { a: '1', b: '2' }),
    );
  });

  it('csv: a declared column that the header lacks is told for each row, with what the header has', () => {
    const bytes = new TextEncoder().encode('shop;amount\nnorth;1\nsouth;2');
    const partition = new PartitionIngest(
      'p',
      { ...BASE, format: 'csv', columns: { amount: 'number' } },
      undefined,
    );
    partition.push({ kind: 'bytes', offset: 0, bytes }, 1);
    partition.push({ kind: 'ended' }, 2);
    for (const position of [12, 20])
      expect(partition.next()).toMatchObject({
        kind: 'set-aside',
        position,
        error: {
          message: expect.stringContaining('the header has no column "amount", it has "shop;amount"'),
        },
      });
    expect(partition.next()).toBeUndefined();
  });

  it('CSV: typed columns keep every digit, and say which column is wrong', () => {
    const columns = { n: 'number?', b: 'bigint?', t: 'boolean?' };
    expect(texts('csv', 'n,b,t\n9007199254740993,-1,yes\n,,\nx,1,0', { columns })).toEqual([
      [6, { n: 9007199254740993n, b: -1n, t: true }],
      [30, { n: null, b: null, t: null }],
      [33, 'broken x,1,0'],
    ]);
    // Typed as a number it is one: an empty cell would be a lie to the code behind it.
    const strict = { n: 'number', b: 'bigint?' };
    expect(texts('csv', 'n,b\n1,\n,2', { columns: strict })).toEqual([
      [4, { n: 1, b: null }],
      [7, 'broken ,2'],
    ]);
  });

  it('an element of an array that is too long is one broken record, and the next ones are read', () => {
    const long = `{"a":"${'x'.repeat(9 * 1024 * 1024)}\\"],{","b":[1,{"c":2}]}`;
    const text = `[{"n":1},${long},{"n":2},[3]]`;
    const bytes = new TextEncoder().encode(text);
    const whole = read('json', bytes, []).items;
    const after = text.length - '{"n":2},[3]]'.length;
    expect(places('json', whole).map(([position]) => position)).toEqual([1, 9, after, after + 8]);
    expect(whole.map(([, what]) => (typeof what === 'string' ? what.slice(0, 6) : what))).toEqual([
      ...[{ n: 1 }, 'broken', { n: 2 }, [3]],
    ]);
    // Cut behind the backslash, inside the text, and between brackets; and taken up again at each of these places.
    const cuts = [8.5 * 1024 * 1024, text.indexOf('\\"') + 1, text.indexOf('],{","b"') + 1, after - 3];
    const cut = read('json', bytes, cuts);
    expect(cut.items.map(([position]) => position)).toEqual([1, 9, after, after + 8]);
    const broken = cut.marks[1] as SourceMark;
    expect(broken.offset).toBeGreaterThan(9);
    const rest = read('json', bytes, cuts.slice(1), {}, broken);
    expect(rest.items.map(([position]) => position)).toEqual([after, after + 8]);
    expect(read('json', bytes.subarray(0, -14), cuts.slice(0, 1)).items.at(-1)?.[1]).toMatch(/^broken/);
  });

  it('JSON arrays: elements as they come; a "}" that closes nothing is broken alone and ends', () => {
    expect(texts('json', ' [1, {"a":[1,"]"]}, 1}, 2]\n')).toEqual([
      [2, 1],
      [5, { a: [1, ']'] }],
      [20, 'broken 1}'],
      [24, 2],
    ]);
    expect(texts('json', '[}')[0]).toEqual([1, 'broken }']);
  });

  it('JSON arrays: an empty file, no array, a cut-off array and text behind it are one broken piece each', () => {
    for (const [text, count] of [
      ['', 1],
      ['{}', 1],
      ['[1', 2],
      ['[1] x', 2],
      ['[]', 0],
    ] as const)
      expect(texts('json', text)).toHaveLength(count);
  });
});

describe('ByteWindow', () => {
  it('makes text of a chunk only when those before it are used up, and ends behind the last of them', () => {
    const window = new ByteWindow(0);
    window.push(new TextEncoder().encode('ab'));
    window.push(Uint8Array.of(0x63, 0xc3));
    window.end();
    expect([window.text, window.waitingBytes, window.ended]).toEqual(['', 4, false]);
    window.pull();
    window.consume(1);
    expect([window.text, window.unread, window.waitingBytes]).toEqual(['ab', 1, 2]);
    window.pull();
    expect([window.text, window.ended]).toEqual(['bc', false]);
    expect([window.pull(), window.text, window.ended, window.pull()]).toEqual([true, 'bc?', true, false]);
  });

  it('keeps its offset exact for any bytes, however they come and are consumed', () => {
    fc.assert(
      fc.property(fc.array(bytes), fc.array(fc.nat()), (chunks, steps) => {
        const window = new ByteWindow(7);
        let i = 0;
        for (const chunk of chunks) {
          window.push(chunk);
          if (i % 3 !== 2) window.pull();
          const to = window.at + ((steps[i++ % Math.max(1, steps.length)] ?? 0) % (window.unread + 1));
          const code = window.text.charCodeAt(to - 1);
          window.consume(code >= 0xd800 && code < 0xdc00 ? to - 1 : to);
        }
        window.end();
        while (window.pull());
        expect(window.ended).toBe(true);
        window.consume(window.text.length);
        expect(window.offset).toBe(7 + chunks.reduce((sum, chunk) => sum + chunk.length, 0));
      }),
      { numRuns: 300 },
    );
  });
});

describe('parseJson', () => {
  it('keeps every digit of an integer, wherever it stands', () => {
    fc.assert(
      fc.property(fc.bigInt(), (n) => {
        const exact = Number.isSafeInteger(Number(n)) ? Number(n) : n;
        expect(parseJson(`${n}`)).toEqual(exact);
        expect(parseJson(` {"__proto__" : [ ${n} , "${n}" ,-1.5e3, {"a\\"\\u00e9":${n}}] } `)).toStrictEqual(
          JSON.parse('{"__proto__":0}', (k, v) =>
            k === '__proto__' ? [exact, `${n}`, -1500, { 'a"é': exact }] : v,
          ),
        );
      }),
    );
  });

  it('reads all else as JSON does, frozen', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}/.test(text));
        const value = parseJson(text);
        expect(value).toEqual(JSON.parse(text));
        expect(Object.isFrozen(value)).toBe(true);
      }),
    );
    expect(Object.is(parseJson('-0'), -0)).toBe(true);
    expect(parseJson('9007199254740993.0')).toBe(9007199254740992);
    expect(() => parseJson('{"a":')).toThrow(SyntaxError);
  });

  it('refuses a value deeper than what may travel to another worker', () => {
    const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(() => parseJson(deep(500))).not.toThrow();
    expect(() => parseJson(deep(600))).toThrow(/nested/);
  });
});
