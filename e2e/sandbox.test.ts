/**
 * What hostile code in a node reaches through `millrace run`: nothing but its own records. The attempts that the
 * compiler refuses come first; the others run in the worker, beside the frame code, and must neither reach out nor
 * spoil what the host stores.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deadLetters, pipelineFolder, recordsOf, rows, sharedData } from './support/folders.ts';
import { finished, millrace, nodeOf, run } from './support/millrace.ts';
import { chain, step } from './support/nodes.ts';

const data = sharedData();
const flags = ['--data', data.path];
const MARK = '/tmp/millrace-e2e-escaped';

/** Each body throws, or gives `LEAK…`. */
const escapes: Record<string, string> = {
  'the environment': `return 'LEAK ' + (globalThis as any).process.env.PATH;`,
  Deno: `return 'LEAK ' + (globalThis as any).Deno.readTextFileSync('/etc/passwd');`,
  'a program': `return 'LEAK ' + new (globalThis as any).Deno.Command('touch', { args: ['${MARK}'] }).outputSync();`,
  'a file by a computed import': `return 'LEAK ' + await new Function("return import('file:///etc/hostname', { with: { type: 'text' } })")();`,
  'node:fs by Function': `const fs = await new Function("return import('node:fs')")(); fs.writeFileSync('${MARK}', 'x'); return 'LEAK';`,
  'node:fs by eval': `return 'LEAK ' + await (0, eval)("import('node:fs')");`,
  'an async constructor': `return 'LEAK ' + await (Object.getPrototypeOf(async function () {}).constructor("return await import('node:child_process')"))();`,
  'a data module': `return 'LEAK ' + await new Function("return import('data:text/javascript,import \\"node:fs\\"')")();`,
  fetch: `return 'LEAK ' + await (globalThis as any).fetch('http://127.0.0.1:1/');`,
  'a worker': `return 'LEAK ' + new (globalThis as any).Worker('data:text/javascript,1', { type: 'module' });`,
  'a socket': `return 'LEAK ' + new (globalThis as any).WebSocket('ws://127.0.0.1/');`,
  'a blob of its own': `return 'LEAK ' + (URL as any).createObjectURL(new (globalThis as any).Blob(['x']));`,
  'WebAssembly with imports': `const m = new (globalThis as any).WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return 'LEAK ' + (globalThis as any).process.pid + m;`,
  'stdin by prompt': `return 'LEAK ' + (globalThis as any).prompt('FORGED');`,
};

describe('no file, net, environment, process or import from a code node', () => {
  it('imports in every form are issues with line and remedy, before anything runs', async () => {
    const forms = [
      `import fs from 'node:fs';`,
      `import * as cp from 'child_process';`,
      `import x from '../../etc/passwd';`,
      `export * from 'npm:lodash';`,
      `import y from 'https://example.com/x.ts';`,
      `import z from '#lib/../../secret';`,
      `const a = import('node:fs');`,
      `const b = require('fs');`,
      `import c = require('fs');`,
      `type D = import('node:fs').Stats;`,
      `const e = import.meta.url;`,
      `/// <reference types="node" />`,
    ];
    const folder = await pipelineFolder(chain(), {
      'in.jsonl': '',
      'nodes/step.ts': step(`ctx.produce('out', 1);`, { head: forms.slice(0, -1).join('\n') }),
    });
    const found = await millrace(['check', folder, '--json']);
    expect(found.code).toBe(1);
    const lines = (found.summary.issues ?? [])
      .filter(({ file }) => file === 'nodes/step.ts')
      .map(({ line }) => line);
    const first = step('', { head: 'HERE' }).split('\n').indexOf('HERE') + 1;
    for (let i = 0; i < forms.length - 1; i++) expect(lines, forms[i]).toContain(first + i);
    expect(found.stderr).toContain('bring data in with an injector and out with a sink');
  });

  it('attempts at run time throw or give nothing; records after them are processed', async () => {
    rmSync(MARK, { force: true });
    const names = Object.keys(escapes);
    const folder = await pipelineFolder(chain({ input: { type: '{ n: number }' } }), {
      'in.jsonl': [...names.keys(), names.length].map((n) => JSON.stringify({ n })).join('\n'),
      'nodes/step.ts': step(
        `const attempt = attempts[value.n];
    let said = 'fine';
    if (attempt !== undefined) said = await attempt().then((got) => String(got), (error: unknown) => 'refused ' + String(error));
    ctx.produce('out', { n: value.n, said });`,
        {
          head: `const attempts: (() => Promise<unknown>)[] = [\n${Object.values(escapes)
            .map((body) => `async () => { ${body} }`)
            .join(',\n')}\n];`,
        },
      ).replace('processRecord(', 'async processRecord('),
    });
    const { summary } = await finished(run(folder, flags));
    const said = new Map(
      recordsOf(folder)
        .map(({ value }) => value as { n: number; said: string })
        .map(({ n, said: text }) => [n, text]),
    );
    for (const [n, name] of names.entries()) {
      expect(said.get(n), name).toMatch(/^refused /);
      expect(said.get(n), name).not.toContain('LEAK');
    }
    expect(said.get(names.length)).toBe('fine');
    expect(summary.deadLetters).toEqual([]);
    expect(existsSync(MARK)).toBe(false);
  });
});

/** Code that gets at what the frame code uses; each must fail, or harm nothing but its own record. */
const forgeries = [
  `Uint8Array.prototype.set = () => {}; Uint8Array.prototype.subarray = () => new Uint8Array(9);`,
  `Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get: () => 1e9 });`,
  `Array.prototype.push = function () { return 0; }; Array.prototype.map = () => [];`,
  `Object.defineProperty(Array.prototype, '0', { set() {}, get() { return 'forged'; } });`,
  `Map.prototype.get = () => 'forged'; Map.prototype.set = function (this: any) { return this; };`,
  `Promise.prototype.then = () => undefined;`,
  `JSON.stringify = () => '{"id":"forged"}'; JSON.parse = () => ({ forged: true });`,
  `TextEncoder.prototype.encode = () => new Uint8Array([1, 2, 3]); TextDecoder.prototype.decode = () => 'forged';`,
  `Object.prototype.toString = () => '[object AsyncFunction]'; (Object.prototype as any).then = (f: any) => f('forged');`,
  `(Object.prototype as any).kind = 'failed'; (Object.prototype as any).space = 0; (Object.prototype as any).waiting = 0;`,
  `DataView.prototype.setFloat64 = () => {}; Number.prototype.toString = () => 'forged';`,
  `String.prototype.charCodeAt = () => 0; String.prototype.slice = () => 'forged'; String.prototype.split = () => ['counters', '9', '9'];`,
  `Math.floor = () => 0; Math.max = () => 9e15; Math.min = () => -9e15; Date.now = () => 0;`,
  `Symbol.iterator in Array.prototype; (Array.prototype as any)[Symbol.iterator] = function* () { yield 'forged'; };`,
  `Error.prepareStackTrace = (_: unknown, sites: any[]) => { for (const s of sites) { const t = s.getThis?.(); if (t && t.receive) t.receive(new Uint8Array(99)); } return ''; }; void new Error().stack; delete (Error as any).prepareStackTrace;`,
  `(ctx as any).constructor.prototype.produce = () => {}; (ctx as any).__proto__.key = 'forged';`,
  `Object.freeze(ctx); Object.setPrototypeOf(record as any, { key: 'forged' });`,
  `(ctx.state as any).set.call({ key: 'foreign', entry: { key: 'foreign' } }, 1);`,
  `(ctx as any).key = 'foreign'; ctx.state.set(99);`,
  `ctx.produce('__proto__' as any, 1);`,
  `console.log('FORGED', '\\u0000\\u0000\\u0000\\u0001'); for (let i = 0; i < 99; i++) console.error('x'.repeat(9999));`,
].map((body) =>
  // What the types forbid is not what is tested here.
  body.replaceAll(
    /\b(Uint8Array|Array|Map|Promise|JSON|TextEncoder|TextDecoder|Object|DataView|Number|String|Math|Date|Error)\./g,
    '($1 as any).',
  ),
);

describe('P6: the host treats whatever comes from user code as hostile', () => {
  it('tampering with what frames are made of forges nothing: every honest record is stored and sent once, under its own key', async () => {
    const total = forgeries.length * 2;
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; k: string }' }, keyBy: 'value.k' }),
      {
        'in.jsonl': Array.from({ length: total }, (_, n) => JSON.stringify({ n, k: `k${n % 5}` })).join('\n'),
        'nodes/step.ts': step(
          `const n = (ctx.state.get() ?? 0) + 1; ctx.state.set(n); ctx.map('m').set(value.n, value.k);
    let refused = '';
    if (value.n % 2 === 0) { try { forgeries[value.n / 2]!(record, ctx); } catch (error) { refused = 'refused'; } }
    ctx.produce('out', { n: value.n, seen: n, size: ctx.map('m').size, refused });`,
          {
            head: `declare const console: any; const forgeries: ((record: any, ctx: any) => void)[] = [\n${forgeries
              .map((body) => `(record, ctx) => { ${body} }`)
              .join(',\n')}\n];`,
          },
        ),
      },
    );
    const { code, stderr, summary } = await run(folder, [...flags, '--workers', '2']);
    expect(summary.issues).toBeUndefined();
    // What is printed is a line of the log, told as the node's own.
    const forged = stderr.split('\n').filter((line) => line.includes('FORGED'));
    expect(forged.filter((line) => !/^info step \[k\d\] FORGED/.test(line))).toEqual([]);
    const [others] = await rows(
      data.path,
      `select count(*)::int as n from millrace.pages g join millrace.pipelines p on p.number = g.pipeline where p.id not like 'p\\_e2e%'`,
    );
    expect(others).toEqual({ n: 0 });
    expect({ code, error: summary.error }).toEqual({ code: 0, error: undefined });
    const letters = await deadLetters(data.path, folder);
    const found = recordsOf(folder).map(({ key, value }) => ({
      key,
      ...(value as { n: number; seen: number }),
    }));
    expect(found.length + letters.length).toBe(total);
    expect(new Set(found.map(({ n }) => n)).size).toBe(found.length);
    // A handler may produce under any key it names: `ctx.key` of its own call is only the default for that.
    const renamed = 2 * forgeries.findIndex((body) => body.includes(".key = 'foreign'; ctx.state"));
    for (const { key, n } of found) expect(key).toBe(n === renamed ? 'foreign' : `k${n % 5}`);
    // Every second record is honest.
    expect(found.filter(({ n }) => n % 2 === 1)).toHaveLength(forgeries.length);
    expect(nodeOf(summary, 'n_step').in).toBe(total);
  });

  it('code that runs before anything else, at load, can no more', async () => {
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; k: string }' }, keyBy: 'value.k' }),
      {
        'in.jsonl': Array.from({ length: 20 }, (_, n) => JSON.stringify({ n, k: `k${n % 5}` })).join('\n'),
        'nodes/step.ts': step(`ctx.produce('out', value.n);`, {
          head: forgeries
            .slice(0, 14)
            .map((body) => `try { ${body} } catch { /* refused */ }`)
            .join('\n'),
        }),
      },
    );
    const { code, summary } = await run(folder, flags);
    expect(summary.issues).toBeUndefined();
    if (code === 0)
      expect(
        recordsOf(folder)
          .map(({ key, value }) => [value, key])
          .sort(([a], [b]) => Number(a) - Number(b)),
      ).toEqual(Array.from({ length: 20 }, (_, n) => [n, `k${n % 5}`]));
    else expect(summary.error?.length).toBeGreaterThan(30);
    // Whatever became of it, the next pipeline in the same store is untouched.
    const next = await pipelineFolder(chain({ input: { type: '{ n: number }' } }), {
      'in.jsonl': '{"n":1}\n',
      'nodes/step.ts': step(`ctx.produce('out', value.n);`),
    });
    await finished(run(next, flags));
    expect(readFileSync(`${next}/out.jsonl`, 'utf8')).toContain('"value":1');
  });
});
