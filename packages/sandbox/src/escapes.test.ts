import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSED_MODULES } from './launch/closed-modules.ts';
import { createWorkerLauncher } from './launcher.ts';
import { buildProbe, openProbe, type Probe } from './testing/probe.ts';

const launcher = createWorkerLauncher({ bootFile: buildProbe() });
let probe: Probe;

beforeAll(async () => {
  probe = await openProbe(launcher);
});
afterAll(() => launcher.close());

/** Each body throws or returns nothing when the attempt fails, and returns "LEAK …" when it succeeds. */
const attempts: Record<string, string> = {
  'Deno itself': `return 'LEAK ' + Deno.version`,
  'Deno of the global object': `if (globalThis.Deno) return 'LEAK'`,
  'Deno through its internal symbol': `if (globalThis[Symbol.for('Deno.internal')]) return 'LEAK'`,
  'reading a file': `return 'LEAK ' + Deno.readTextFileSync('/etc/passwd')`,
  'writing a file': `Deno.writeTextFileSync('/tmp/escape', 'x'); return 'LEAK'`,
  'the environment': `return 'LEAK ' + process.env.PATH`,
  'process through globalThis': `if (globalThis.process || globalThis.global || globalThis.Buffer) return 'LEAK'`,
  'running a program': `new Deno.Command('id').outputSync(); return 'LEAK'`,
  signals: `Deno.kill(1, 'SIGTERM'); return 'LEAK'`,
  'system information': `return 'LEAK ' + Deno.hostname()`,
  'a native library': `Deno.dlopen('libc.so.6', {}); return 'LEAK'`,
  'a name look-up': `return 'LEAK ' + await Deno.resolveDns('localhost', 'A')`,
  'a connection': `return 'LEAK ' + await Deno.connect({ port: 80 })`,
  fetch: `return 'LEAK ' + await fetch('http://127.0.0.1/')`,
  WebSocket: `new WebSocket('ws://127.0.0.1/'); return 'LEAK'`,
  EventSource: `new EventSource('http://127.0.0.1/'); return 'LEAK'`,
  XMLHttpRequest: `new XMLHttpRequest(); return 'LEAK'`,
  'a Worker': `new Worker('data:text/javascript,1', { type: 'module' }); return 'LEAK'`,
  'a Worker with permissions': `new Worker('data:,', { type: 'module', deno: { permissions: 'inherit' } }); return 'LEAK'`,
  BroadcastChannel: `new BroadcastChannel('x'); return 'LEAK'`,
  MessageChannel: `new MessageChannel(); return 'LEAK'`,
  localStorage: `localStorage.setItem('a', 'b'); return 'LEAK'`,
  caches: `await caches.open('x'); return 'LEAK'`,
  'navigator.gpu': `if (globalThis.navigator?.gpu || globalThis.GPU) return 'LEAK'`,
  'navigator.hardwareConcurrency': `return 'LEAK ' + navigator.hardwareConcurrency`,
  'prompt, which reads stdin and writes stdout': `prompt('FORGED'); return 'LEAK'`,
  'alert, which writes stdout': `alert('FORGED'); return 'LEAK'`,
  'confirm, which writes stdout': `confirm('FORGED'); return 'LEAK'`,
  close: `close(); return 'LEAK'`,
  'a blob URL of its own': `URL.createObjectURL(new Blob(['x'])); return 'LEAK'`,
  'import of a file': `return 'LEAK ' + await import('/etc/passwd')`,
  'import of a file URL': `return 'LEAK ' + await import('file:///etc/passwd')`,
  'import of JSON from a file': `return 'LEAK ' + await import('file:///etc/hostname', { with: { type: 'json' } })`,
  'import of text from a file': `return 'LEAK ' + await import('file:///etc/hostname', { with: { type: 'text' } })`,
  'import of bytes from a file': `return 'LEAK ' + await import('file:///etc/hostname', { with: { type: 'bytes' } })`,
  'import of a relative path': `return 'LEAK ' + await import('./boot.js')`,
  'a computed import': `return 'LEAK ' + await import(['no', 'de:fs'].join(''))`,
  'an import in odd spelling': `return 'LEAK ' + await import(' NODE:fs')`,
  'import of npm': `return 'LEAK ' + await import('npm:lodash')`,
  'import of jsr': `return 'LEAK ' + await import('jsr:@std/path')`,
  'import over https': `return 'LEAK ' + await import('https://deno.land/std/path/mod.ts')`,
  'import over http': `return 'LEAK ' + await import('http://127.0.0.1/x.js')`,
  'import of Deno internals': `return 'LEAK ' + await import('ext:core/ops')`,
  'import of an internal of node': `return 'LEAK ' + await import('ext:deno_node/fs.ts')`,
  'import through data, static': `return 'LEAK ' + await import('data:text/javascript,import%20"node:fs"')`,
  'import through data, of a file': `return 'LEAK ' + await import('data:text/javascript,import%20"file:///etc/passwd"')`,
  'Deno inside a data module': `const m = await import('data:text/javascript,export default typeof Deno'); if (m.default !== 'undefined') return 'LEAK'`,
  'import by eval': `return 'LEAK ' + await eval("import('node:fs')")`,
  'import by indirect eval': `return 'LEAK ' + await (0, eval)("import('node:fs')")`,
  'import by Function': `return 'LEAK ' + await new Function("return import('node:fs')")()`,
  'import by the constructor of an async function': `return 'LEAK ' + await (async () => {}).constructor("return await import('node:fs')")()`,
  'import by a timer given text': `setTimeout("import('node:fs')", 0); return 'LEAK'`,
  require: `return 'LEAK ' + require('fs')`,
  getBuiltinModule: `return 'LEAK ' + process.getBuiltinModule('fs')`,
  'the global object by Function': `if (new Function('return this')().Deno) return 'LEAK'`,
  'call sites of the stack': `Error.prepareStackTrace = (e, sites) => sites; const sites = new Error().stack;
    for (const site of [].concat(sites)) { const f = site.getThis?.(); if (f?.Deno) return 'LEAK'; if (site.getFunction?.()) return 'LEAK function' }`,
  'the caller of a function': `return 'LEAK ' + arguments.callee.caller`,
  'replacing Uint8Array.prototype.set': `Uint8Array.prototype.set = function () { this[0] = 1 }; Object.getPrototypeOf(Uint8Array.prototype).set = 1; if (new Uint8Array(1).set === 1) return 'LEAK'`,
  'redefining set': `Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'set', { value() { return 'FORGED' } }); return 'LEAK'`,
  'redefining subarray': `Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'subarray', { value() { return new TextEncoder().encode('FORGED') } }); return 'LEAK'`,
  'redefining length': `Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get() { return 6 } }); return 'LEAK'`,
  'another species': `Object.defineProperty(Object.getPrototypeOf(Uint8Array), Symbol.species, { get() { return Array } }); return 'LEAK'`,
  'redefining DataView': `Object.defineProperty(DataView.prototype, 'setUint32', { value() {} }); return 'LEAK'`,
  'redefining encode': `Object.defineProperty(TextEncoder.prototype, 'encode', { value() { return new Uint8Array([70, 79]) } }); return 'LEAK'`,
  'redefining decode': `Object.defineProperty(TextDecoder.prototype, 'decode', { value() { return 'FORGED' } }); return 'LEAK'`,
  'redefining then': `Object.defineProperty(Promise.prototype, 'then', { value() {} }); return 'LEAK'`,
  'another constructor of promises': `Object.defineProperty(Promise.prototype, 'constructor', { value: Array }); return 'LEAK'`,
  'an accessor on Array.prototype': `Object.defineProperty(Array.prototype, '0', { set() {}, get() { return 'FORGED' } }); return 'LEAK'`,
  'redefining push': `Object.defineProperty(Array.prototype, 'push', { value() {} }); return 'LEAK'`,
  'redefining Map.prototype.get': `Object.defineProperty(Map.prototype, 'get', { value() { return 'FORGED' } }); return 'LEAK'`,
  'an accessor on Object.prototype': `Object.defineProperty(Object.prototype, 'post', { get() { return 'FORGED' } }); return 'LEAK'`,
  'another Math.floor': `Math.floor = () => 0; return 'LEAK'`,
  'another Date.now': `Date.now = () => 0; return 'LEAK'`,
  'another Object.keys': `Object.keys = () => []; return 'LEAK'`,
  'another RegExp.prototype.test': `RegExp.prototype.test = () => true; return 'LEAK'`,
  'then on Object.prototype': `Object.prototype.then = () => {}; return 'LEAK'`,
  'another Promise': `globalThis.Promise = class extends Promise { then() { return 'FORGED' } }; return 'LEAK'`,
  'another Uint8Array': `globalThis.Uint8Array = class { constructor() { return new TextEncoder().encode('FORGED') } }; return 'LEAK'`,
  'another globalThis': `Object.defineProperty(globalThis, 'TextEncoder', { value: 1 }); return 'LEAK'`,
  'text on console': `console.log('FORGED'); console.error('FORGED')`,
};

/** An allocation fails inside the handler, or V8 itself finds no memory left: then the worker ends, with the reason. */
const bombs: Record<string, string> = {
  'WebAssembly memory beyond the limit': `const m = []; for (let i = 0; i < 64; i++) m.push(new WebAssembly.Memory({ initial: 16384 })); for (const x of m) new Uint8Array(x.buffer).fill(1); return 'LEAK'`,
  'ArrayBuffers beyond the limit': `const m = []; for (let i = 0; i < 400; i++) m.push(new Uint8Array(1e7).fill(1)); return 'LEAK'`,
  'SharedArrayBuffers beyond the limit': `const m = []; for (let i = 0; i < 400; i++) m.push(new Uint8Array(new SharedArrayBuffer(1e7)).fill(1)); return 'LEAK'`,
  'a string beyond the limit': `const s = 'x'.repeat(2 ** 29 + 10); return 'LEAK'`,
  'a heap without end': `const m = []; for (;;) m.push({ m })`,
  'a Map without end': `const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x' + i)`,
  'one huge array': `const m = new Array(2 ** 30).fill(1); return 'LEAK ' + m.length`,
  'deep recursion': `const f = (n) => f(n + 1) + 1; return 'LEAK ' + f(0)`,
};

describe('P6, sandbox: user code gets at nothing but its own records', () => {
  test.each(Object.entries(attempts))('no escape by %s', async (_title, body) => {
    const answer = await probe.ask('r', `export default async () => { ${body}\nreturn 'refused' }`);
    expect(answer).toMatch(/^(error: |ok: refused$)/);
    expect(answer).not.toContain('LEAK');
  });

  test.each(Object.entries(bombs))('%s harms this worker only', async (_title, body) => {
    const bomb = await openProbe(launcher);
    const answer = await bomb.ask('r', `export default async () => { ${body} }`);
    expect(answer).toMatch(/^error: |it used more memory than its limit of 128 MB/);
    expect(answer).not.toContain('LEAK');
    bomb.worker.kill();
    await bomb.exit;
    expect(await probe.ask('e', 'ok: here')).toBe('ok: here');
  });

  test.each([
    `import fs from 'node:fs'; export default () => 'LEAK'`,
    `import 'file:///etc/passwd'; export default () => 'LEAK'`,
    `import x from 'file:///etc/hostname' with { type: 'text' }; export default () => 'LEAK' + x`,
    `export { default } from 'npm:lodash'`,
    `import 'https://deno.land/std/path/mod.ts'; export default () => 'LEAK'`,
    `import 'data:text/javascript,import%20"node:fs"'; export default () => 'LEAK'`,
  ])('no escape by the static import %s', async (code) => {
    expect(await probe.ask('r', code)).toMatch(/^error: /);
  });

  test('no module of node can be imported, in any spelling', async () => {
    const names = JSON.stringify(CLOSED_MODULES);
    const answer = await probe.ask(
      'r',
      `export default async () => {
        const open = [];
        for (const name of ${names})
          for (const spelling of [name, name.toUpperCase().replace(/NODE:.*/, 'NODE:' + name.slice(5)), name.slice(5), ' ' + name, name + '?x', name + '#x'])
            await import(spelling).then(() => open.push(spelling), () => undefined);
        return 'open: ' + open.join();
      }`,
    );
    expect(answer).toBe('ok: open: ');
  });

  test('none of these attempts put a frame of its own on the pipe', () => {
    expect(probe.heard.filter((frame) => !/^(started$|ok: |error: )/.test(frame))).toEqual([]);
    expect(probe.heard.join()).not.toContain('FORGED');
  });

  test('the language itself, and what handlers need, is there', async () => {
    const answer = await probe.ask(
      'r',
      `export default async () => {
        const o = {}; o.toString = () => 'own'; o.constructor = 1; o['__proto__x'] = 2;
        class Oops extends Error { constructor() { super('m'); this.name = 'Oops'; } }
        await new Promise((resolve) => setTimeout(resolve, 1));
        crypto.getRandomValues(new Uint8Array(4));
        structuredClone({ a: new Map([[1, 2]]) });
        return [String(o), new Oops().name, new URL('http://a/b').pathname, atob(btoa('x')),
          new TextDecoder().decode(new TextEncoder().encode('ü')), performance.now() > 0,
          new Intl.NumberFormat('en').format(1), typeof Temporal, new Date(0).toISOString()].join(' ');
      }`,
    );
    expect(answer).toBe('ok: own Oops /b x ü true 1 object 1970-01-01T00:00:00.000Z');
  });
});
