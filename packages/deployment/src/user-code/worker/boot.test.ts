import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerLauncher } from '@millrace/engine';
import { createWorkerLauncher } from '@millrace/sandbox';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../package-folder.ts';
import { sandboxedUserCode } from '../sandboxed-user-code.ts';

let folder: string;
let launcher: WorkerLauncher;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-boot-'));
  const bootFile = join(folder, 'boot.js');
  await build({
    entryPoints: [join(packageFolder, 'src/user-code/worker/boot.ts')],
    outfile: bootFile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    conditions: ['millrace-source'],
    logLevel: 'silent',
  });
  launcher = createWorkerLauncher({ bootFile });
});
afterAll(async () => {
  await launcher.close();
  rmSync(folder, { recursive: true, force: true });
});

const programOf = (body: string) => ({
  params: {},
  bundle: `export default { nodes: { n_a: { kind: 'computation', handlers: { processRecord(record, ctx) { ${body} } } } } };`,
});
const recorded = (value: string, expected: string) =>
  `{ "format": 1, "steps": [{ "record": { "stream": "in", "value": ${value}, "timestamp": 1 } }],
     "expect": { "out": [{ "value": ${expected} }] } }`;

async function run(body: string, text: string, answerMs = 10_000) {
  const userCode = sandboxedUserCode(launcher, { answerMs, memoryMb: 128 });
  try {
    return (await userCode.runCase(programOf(body), 'n_a', text)).differences.join('\n');
  } finally {
    await userCode.close();
  }
}

describe('recorded cases in a real worker', () => {
  it('run', async () => {
    expect(await run("ctx.produce('out', record.value + 1)", recorded('1', '2'))).toBe('');
    expect(await run("ctx.produce('out', record.value + 1)", recorded('1', '3'))).not.toBe('');
  });

  it('keep the digits of integers beyond 2^53', async () => {
    expect(
      await run("ctx.produce('out', record.value + 1n)", recorded('9007199254740993', '9007199254740994')),
    ).toBe('');
  });

  it('U1: have neither Deno nor a way to the network or to files', async () => {
    const body = "ctx.produce('out', [typeof Deno, typeof fetch, typeof Worker].join())";
    expect(await run(body, recorded('1', '"undefined,undefined,undefined"'))).toBe('');
    expect(await run("return import('node:fs')", recorded('1', '1'))).not.toBe('');
  });

  it('U2: are ended when they loop for ever or use too much memory', async () => {
    expect(await run('while (true) {}', recorded('1', '1'), 1_500)).toContain('no answer in 1.5 s');
    const hungry = 'const all = []; for (;;) all.push(new Array(1e6).fill(record.value));';
    expect(await run(hungry, recorded('1', '1'))).toContain('memory');
  });
});
