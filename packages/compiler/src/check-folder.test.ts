import { describe, expect, it } from 'vitest';
import { BUSY, COUNT_BY_HOUR, changed, check, flights, folderOf, pointedAt, types } from '../test/fixture.ts';
import { checkFolder } from './check-folder.ts';

const shown = (issues: readonly { file: string; line: number; column: number; code: string }[]): string[] =>
  issues.map((i) => `${i.file}:${i.line}:${i.column} ${i.code}`);

describe('checkFolder', () => {
  it('the flight delays of the SDK sheet have no issue', async () => {
    expect(await check()).toEqual([]);
  });

  it('also in the child process with its limits', async () => {
    expect(await checkFolder(folderOf(), types)).toEqual([]);
  });

  it('types flow along the wires: a changed output of the producer is an error in the consumer', async () => {
    const code = COUNT_BY_HOUR.replace('flights: number }', 'flights: string }').replace(
      'hours.get(hour)!',
      "'many'",
    );
    const issues = await check({ files: { 'nodes/count-by-hour.ts': code } });
    expect(shown(issues)).toEqual(['nodes/busy.ts:8:9 ts2365']);
    expect(issues[0]?.node).toBe('n_busy');
  });

  it('G2: a keyBy of a wrong type is an error at its place inside pipeline.json, escapes counted', async () => {
    const pipeline = changed((p) => {
      p.streams.s_1.keyBy = '/* "é" \n */ value.delay > 1';
    });
    const folder = folderOf({ pipeline });
    const issues = await check({ pipeline });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      file: 'pipeline.json',
      stream: 's_1',
      node: 'n_count',
      path: 'streams.s_1.keyBy',
    });
    expect(issues[0]?.message).toBe(
      "keyBy of stream 's_1' must give a string, number or bigint: Type 'boolean' is not assignable to type 'string | number | bigint'.",
    );
    expect(pointedAt(folder, issues[0])).toMatch(/^value\.delay > 1"/);
  });

  it('a field of the key that its producer has renamed is told at every stream that is keyed by it (R97)', async () => {
    const pipeline = changed((p) => {
      p.streams.s_2.keyBy = 'value.origin';
    });
    expect(shown(await check({ pipeline }))).toEqual([]);
    const files = {
      'nodes/count-by-hour.ts': COUNT_BY_HOUR.replaceAll('origin: string', 'airport: string').replaceAll(
        'origin: ctx.key',
        'airport: ctx.key',
      ),
    };
    const issues = await check({ pipeline, files });
    const [issue] = issues.filter(({ path }) => path === 'streams.s_2.keyBy');
    expect(issue).toMatchObject({ stream: 's_2', node: 'n_busy' });
    expect(issue?.message).toContain("Property 'origin' does not exist");
  });

  it('G2: a field named without its value is told with the name it has', async () => {
    for (const [field, change] of [
      ['origin', changed((p) => (p.streams.s_1.keyBy = 'origin'))],
      ['at', changed((p) => (p.nodes.n_flights.config.timestamp = 'at'))],
    ] as const) {
      const [issue] = await check({ pipeline: change });
      expect(issue?.message).toMatch(
        new RegExp(`Cannot find name '${field}'\\..* its field is 'value\\.${field}'\\.$`),
      );
    }
  });

  it('G2: every allowed type of key passes and every other one does not', async () => {
    const faults: string[] = [];
    for (const keyBy of [
      'value.origin',
      'value.delay',
      '10n',
      '"" + value.at',
      'record.key + record.timestamp',
    ]) {
      faults.push(...shown(await check({ pipeline: changed((p) => (p.streams.s_1.keyBy = keyBy)) })));
    }
    expect(faults).toEqual([]);
    for (const keyBy of [
      'value',
      'null',
      'undefined',
      '[value.origin]',
      'Symbol()',
      'value.nothing',
      'new Date()',
    ]) {
      const issues = await check({ pipeline: changed((p) => (p.streams.s_1.keyBy = keyBy)) });
      expect(issues[0]?.path, keyBy).toBe('streams.s_1.keyBy');
    }
  });

  it('an expression cannot leave its parentheses', async () => {
    for (const keyBy of [
      "1); import('x'); (2",
      'a = 1; b',
      '',
      '1 +',
      ');(',
      "value.origin) as any; (''",
      '1 // )',
    ]) {
      const issues = await check({ pipeline: changed((p) => (p.streams.s_1.keyBy = keyBy)) });
      expect(issues.length > 0, keyBy).toBe(keyBy !== '1 // )');
      for (const issue of issues) expect(issue.path, keyBy).toBe('streams.s_1.keyBy');
    }
    const type = '{}; import x from "node:fs"; type y = {}';
    const issues = await check({ pipeline: changed((p) => (p.nodes.n_flights.config.type = type)) });
    expect(issues.find(({ path }) => path === 'nodes.n_flights.config.type')?.message).toContain('type of');
  });

  it('a timestamp that cannot be a time is an error', async () => {
    const issues = await check({
      pipeline: changed((p) => (p.nodes.n_flights.config.timestamp = '[value.at]')),
    });
    expect(issues[0]?.message).toContain(
      "timestamp of 'n_flights' must give milliseconds, a Date or ISO 8601 text",
    );
  });

  it('an untyped injector is one warning; expressions may use its values, consumers must not', async () => {
    const pipeline = changed((p) => {
      delete p.nodes.n_flights.config.type;
    });
    const issues = await check({ pipeline });
    expect(issues.map(({ code, severity, node }) => [code, severity, node])).toEqual([
      ['ts18046', 'error', 'n_count'],
      ['untyped', 'warning', 'n_flights'],
    ]);
    expect(issues[0]?.message).toContain('give that injector\'s settings a "type"');
  });

  it('text is a string, csv has its columns, a generator what its expression gives', async () => {
    const consumer = (use: string): string =>
      `import { computation } from '@millrace/sdk';\nimport type { Inputs } from './streams';\nexport default computation<Inputs, { busy: string }>({ processRecord(record) { const x: never = record.value${use}; return x; } });\n`;
    const typeOf = async (type: string, config: object, use: string): Promise<string | undefined> => {
      const pipeline = changed((p) => {
        p.nodes.n_flights = { type, name: 'f', config };
        p.streams = {
          s_2: { from: ['n_flights', 'out'], to: ['n_busy', 'counts'] },
          s_3: { from: ['n_busy', 'busy'], to: ['n_out', 'in'] },
        };
        delete p.nodes.n_count;
      });
      const issues = await check({ pipeline, files: { 'nodes/busy.ts': consumer(use) } });
      return /Type '(.*)' is not assignable/.exec(
        issues.find(({ code }) => code === 'ts2322')?.message ?? '',
      )?.[1];
    };
    expect(await typeOf('injector/file', { path: 'x', format: 'text' }, '')).toBe('string');
    const csv = { path: 'x', format: 'csv', columns: { delay: 'number', gate: 'bigint?' } };
    expect(await typeOf('injector/file', csv, '.delay')).toBe('number');
    expect(await typeOf('injector/file', csv, '.gate')).toBe('bigint | null');
    expect(await typeOf('injector/file', csv, '.origin')).toBe('string');
    expect(await typeOf('injector/generator', { value: '({ n, big: 1n })' }, '.big')).toBe('bigint');
  });

  it('every forbidden import is an error with its remedy', async () => {
    const cases: [code: string, says: RegExp][] = [
      ["import 'node:fs';", /without files, network and processes/],
      ["import fs from 'fs';", /without files, network and processes/],
      ["import x from 'npm:lodash';", /copy the code you need into lib/],
      ["import x from 'lodash';", /copy the code you need into lib/],
      ["import x from 'jsr:@std/fs';", /copy the code you need into lib/],
      ["import x from '@millrace/sdk/testing';", /copy the code you need into lib/],
      ["import x from 'https://x.example/y.ts';", /move the file into lib/],
      ["import x from 'data:text/javascript,1';", /cannot be imported/],
      ["import x from 'file:///etc/passwd';", /cannot be imported/],
      ["import x from '/etc/passwd';", /move the file into lib/],
      ["import x from '../n_busy/node';", /move the file into lib/],
      ["import x from './other';", /move the file into lib/],
      ["import x from '#lib/../n_busy/node';", /cannot be imported/],
      ["import x from '#lib/none';", /there is no file lib\/none\.ts/],
      ["import x from '../sdk/index';", /move the file into lib/],
      ["import x from '';", /move the file into lib/],
      ["import x from 'node:fs' with { type: 'json' };", /without files/],
      ["export * from 'node:fs';", /without files, network and processes/],
      ["export { readFileSync } from 'node:fs';", /without files, network and processes/],
      ["import type { Stats } from 'node:fs';", /without files, network and processes/],
      ["type S = import('node:fs').Stats;", /without files, network and processes/],
      ["type S = typeof import('node:fs');", /without files, network and processes/],
      ["import fs = require('node:fs');", /without files, network and processes/],
      ["const x = await import('node:fs');", /import\(\) is not possible/],
      ['const f = (n: string) => import(n);', /import\(\) is not possible/],
      ["const f = () => import('#lib/hours');", /import\(\) is not possible/],
      ["const fs = require('fs');", /require\(\) is not there/],
      ["// @ts-ignore\nconst fs = require('fs');", /require\(\) is not there/],
      ["// @ts-nocheck\nimport fs from 'node:fs';", /without files, network and processes/],
      ["declare module 'node:fs' { export const x: 1 }\nimport { x } from 'node:fs';", /without files/],
      ['const u = import.meta.url;', /import\.meta is not there/],
      ['await Promise.resolve();', /make the handler async/],
      ['for await (const x of []) {}', /make the handler async/],
      ['/// <reference lib="dom" />', /remove the line/],
      ['/// <reference path="/etc/passwd" />', /remove the line/],
    ];
    for (const [line, says] of cases) {
      const issues = await check({ files: { 'nodes/busy.ts': `${line}\n${BUSY}` } });
      const found = issues.find((i) => i.file === 'nodes/busy.ts' && says.test(i.message));
      expect(found?.severity, `${line}\n${JSON.stringify(issues)}`).toBe('error');
    }
  }, 240_000);

  it('an import or await inside an expression is refused at its place', async () => {
    const issues = await check({
      pipeline: changed((p) => (p.streams.s_1.keyBy = "value.origin + import('node:fs')")),
    });
    expect(issues.some(({ code, path }) => code === 'forbidden-import' && path === 'streams.s_1.keyBy')).toBe(
      true,
    );
  });

  it('lib files may import each other and nothing else', async () => {
    const files = {
      'lib/hours.ts': "export { hourOf } from './deep/more';\nimport './gone';\nimport '../nodes/busy';\n",
      'lib/deep/more.ts':
        "import { one } from '#lib/one';\nexport const hourOf = (t: number): number => t * one;\n",
      'lib/one.ts': 'export const one = 1;\n',
    };
    const issues = await check({ files });
    expect(shown(issues)).toEqual(['lib/hours.ts:2:8 forbidden-import', 'lib/hours.ts:3:8 forbidden-import']);
  });

  it('what a node cannot have says what to use instead', async () => {
    const body = 'console.log(1); setTimeout(() => {}, 1); fetch("x"); process.exit();';
    const issues = await check({
      files: { 'nodes/busy.ts': BUSY.replace('if (record', `${body} if (record`) },
    });
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('ctx.log.info'),
      expect.stringContaining('ctx.setTimer'),
      expect.stringContaining('injector'),
      expect.stringContaining('ctx.params'),
    ]);
  });

  it('G3: a port that the code does not have is an error on the stream', async () => {
    const pipeline = changed((p) => {
      p.streams.s_2.from = ['n_count', 'count'];
    });
    const issues = await check({ pipeline });
    const port = issues.find(({ code }) => code === 'unknown-port');
    expect(port?.message).toBe(
      "stream 's_2': 'count by hour' (n_count) has no output 'count'; its code has 'counts'",
    );
    expect(pointedAt(folderOf({ pipeline }), port)).toBe('"count"');
  });

  it('G3: inputs declared by hand must fit the wires', async () => {
    const own = BUSY.replace(
      "import type { Inputs } from './streams';",
      'interface Inputs { counts: { origin: number; flights: number } }',
    ).replace('record.value.origin', "''");
    const issues = await check({ files: { 'nodes/busy.ts': own } });
    expect(issues.map(({ code, stream }) => [code, stream])).toEqual([['input-mismatch', 's_2']]);
  });

  it('a node without a computation says so', async () => {
    const none = await check({ files: { 'nodes/busy.ts': 'export const x = 1;\n' } });
    expect(none.map(({ code, file }) => [code, file])).toEqual([['no-computation', 'nodes/busy.ts']]);
    const other = await check({ files: { 'nodes/busy.ts': 'export default { x: 1 };\n' } });
    expect(other[0]?.message).toContain(
      'the default export of nodes/busy.ts is { x: number; }, not a computation',
    );
  });

  it('any in the outputs is a warning', async () => {
    const code = COUNT_BY_HOUR.replace('flights: number }', 'flights: number; more: any[] }').replace(
      'hours.get(hour)!',
      'hours.get(hour)!, more: []',
    );
    const issues = await check({ files: { 'nodes/count-by-hour.ts': code } });
    expect(issues.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['any-output', 'warning', 5],
    ]);
  });

  it('G3: a cycle is told once, without the echoes of types that depend on themselves', async () => {
    const pipeline = changed((p) => {
      p.nodes.n_u = { type: 'operator/union', name: 'u' };
      p.streams.s_4 = { from: ['n_busy', 'busy'], to: ['n_u', 'in'] };
      p.streams.s_5 = { from: ['n_u', 'out'], to: ['n_busy', 'again'] };
    });
    const issues = await check({ pipeline });
    expect(issues.filter(({ code }) => code === 'cycle')).toHaveLength(1);
    expect(issues.filter(({ code }) => code.startsWith('ts7') || code === 'ts2456')).toEqual([]);
  });

  it('G3: an unknown format version is the only issue', async () => {
    const issues = await check({ pipeline: changed((p) => (p.format = 2)) });
    expect(issues.map(({ code }) => code)).toEqual(['unknown-format']);
  });

  it('G3: issues of graph, code and expressions come in one list', async () => {
    const pipeline = changed((p) => {
      p.nodes.n_out.type = 'sink/fiel';
      p.nodes.n_busy.name = 'flights';
      p.streams.s_1.keyBy = 'value.orign';
      p.streams.s_9 = { from: ['n_gone', 'out'], to: ['n_busy', 'counts'] };
    });
    const files = {
      'nodes/busy.ts': BUSY.replace('flights > 3', 'flihgts > 3'),
      'lib/hours.ts': 'export const hourOf = (t: number): number => "x";\n',
    };
    const issues = await check({ pipeline, files });
    const codes = new Set(issues.map(({ code }) => code));
    for (const code of ['unknown-type', 'duplicate-name', 'ts2551', 'unknown-node', 'ts2322'])
      expect(codes).toContain(code);
    expect(issues.every(({ line, column }) => line > 0 && column > 0)).toBe(true);
  });

  it('a hostile type ends the check, not the product, and names the file', async () => {
    const hostile = `${BUSY}type Grow<T extends unknown[]> = T['length'] extends 900 ? T : Grow<[...T, 0]>;
type Deep<N extends number, A extends unknown[] = []> = A['length'] extends N ? [] : [Deep<N, [...A, 0]>, Deep<N, [...A, 1]>];
export const x: Deep<24> = 1 as unknown as Deep<23>;
export type G = Grow<[]>;
`;
    const issues = await checkFolder(folderOf({ files: { 'nodes/busy.ts': hostile } }), types, {
      limits: { timeoutMs: 4_000, memoryMb: 256 },
    });
    const found = issues.filter(({ code }) => /^(check-(timeout|out-of-memory)|ts2589|ts2322)$/.test(code));
    expect(found[0]?.file).toBe('nodes/busy.ts');
  });

  it('a check that takes too long says so', async () => {
    const issues = await checkFolder(folderOf(), types, { limits: { timeoutMs: 1, memoryMb: 512 } });
    expect(issues.map(({ code }) => code)).toEqual(['check-timeout']);
    expect(issues[0]?.message).toContain('took longer than 0.001 s');
  });

  it('a check that needs too much memory says so', async () => {
    const issues = await checkFolder(folderOf(), types, { limits: { timeoutMs: 20_000, memoryMb: 20 } });
    expect(issues.map(({ code }) => code)).toEqual(['check-out-of-memory']);
  });

  it('operators in pipeline.json are checked like the code they stand for', async () => {
    const pipeline = flights();
    pipeline.nodes.n_agg = {
      type: 'operator/aggregate',
      name: 'agg',
      config: {
        window: { type: 'tumbling', size: { param: 'gap' }, offset: '5m' },
        aggregates: { flights: { type: 'count' }, late: { type: 'sum', of: 'value.delay' } },
        allowedLateness: '1m',
      },
    };
    pipeline.nodes.n_some = {
      type: 'operator/filter',
      name: 'some',
      config: { expression: 'value.late > 10' },
    };
    pipeline.streams.s_4 = { from: ['n_flights', 'out'], to: ['n_agg', 'in'], keyBy: 'value.origin' };
    pipeline.streams.s_5 = { from: ['n_agg', 'out'], to: ['n_some', 'in'] };
    pipeline.streams.s_6 = { from: ['n_some', 'out'], to: ['n_out', 'in'] };
    expect(await check({ pipeline })).toEqual([]);
    pipeline.nodes.n_some.config.expression = 'value.lat + 10';
    pipeline.nodes.n_agg.config.aggregates.late.of = 'value.origin';
    const issues = await check({ pipeline });
    expect(issues.map(({ path, node }) => [path, node])).toEqual([
      ['nodes.n_agg.config.aggregates.late.of', 'n_agg'],
      ['nodes.n_some.config.expression', 'n_some'],
    ]);
  });

  it('G3: an operator without input is told once, and its late output can be wired', async () => {
    const pipeline = flights();
    const config = { window: { type: 'tumbling', size: '1h' }, aggregates: { n: { type: 'count' } } };
    pipeline.nodes.n_agg = { type: 'operator/aggregate', name: 'agg', config };
    pipeline.nodes.n_late = { type: 'operator/map', name: 'late', config: { expression: 'value.delay' } };
    pipeline.streams.s_5 = { from: ['n_agg', 'late'], to: ['n_late', 'in'] };
    expect((await check({ pipeline })).map(({ code, severity }) => [code, severity])).toEqual([
      ['missing-input', 'error'],
    ]);
    pipeline.streams.s_4 = { from: ['n_flights', 'out'], to: ['n_agg', 'in'] };
    expect(await check({ pipeline })).toEqual([]);
    config.window.size = '0s';
    expect((await check({ pipeline }))[0]?.message).toContain(
      "setting 'window.size' is nothing; it needs a length",
    );
  });

  it('operators behind an untyped injector stay usable and never leak any', async () => {
    const pipeline = changed((p) => {
      delete p.nodes.n_flights.config.type;
      p.nodes.n_map = {
        type: 'operator/map',
        name: 'map',
        config: { expression: '({ origin: value.origin, flights: 1 })' },
      };
      p.streams = {
        s_1: { from: ['n_flights', 'out'], to: ['n_map', 'in'] },
        s_2: { from: ['n_map', 'out'], to: ['n_busy', 'counts'] },
        s_3: { from: ['n_busy', 'busy'], to: ['n_out', 'in'] },
      };
      delete p.nodes.n_count;
    });
    const issues = await check({ pipeline });
    expect(
      issues.filter(({ severity }) => severity === 'error').map(({ file, code }) => [file, code]),
    ).toEqual([['nodes/busy.ts', 'ts2322']]);
  });
});
