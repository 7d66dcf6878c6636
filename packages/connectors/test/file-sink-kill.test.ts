import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from './contexts.ts';

const BATCHES = 400;
const KILLS = 12;
const root = fileURLToPath(new URL('..', import.meta.url));
let program = '';

beforeAll(async () => {
  const built = await build({
    entryPoints: [join(root, 'test/file-sink-host.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['millrace-source'],
    external: ['node:*'],
  });
  program = built.outputFiles[0]?.text ?? '';
});

/** mulberry32; the seed is printed with a failure and can be set to see it again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function startHost(script: string, folder: string): Promise<ChildProcess> {
  const host = spawn(process.execPath, [script, folder, String(BATCHES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(host.stdout ?? host, 'data');
  return host;
}

describe('a host of sink/file under kill -9', () => {
  it('P7, Y5: every line is there once and in order, however often the host is killed', async () => {
    const seed = Number(process.env.MILLRACE_SEED ?? Date.now() % 1_000_000);
    const random = randomFrom(seed);
    const folder = await tempFolder();
    const script = join(folder, 'host.mjs');
    writeFileSync(script, program);
    let cut = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const host = await startHost(script, folder);
      await sleep(random() * 25);
      host.kill('SIGKILL');
      await once(host, 'exit');
      const mark = JSON.parse(readFileSync(join(folder, 'mark.json'), 'utf8'));
      const { length } = readFileSync(join(folder, 'out.jsonl'));
      expect(length, `MILLRACE_SEED=${seed}`).toBeGreaterThanOrEqual(mark.detail.length);
      if (length > mark.detail.length) cut++;
    }
    const last = await startHost(script, folder);
    if (last.exitCode === null) await once(last, 'exit');
    const lines = readFileSync(join(folder, 'out.jsonl'), 'utf8').trimEnd().split('\n');
    const found = lines.map((text) => {
      const { batch, ordinal } = JSON.parse(text);
      return `${batch}.${ordinal}`;
    });
    const wanted = Array.from({ length: BATCHES }, (_, i) => i + 1).flatMap((batch) =>
      Array.from({ length: 1 + (batch % 7) }, (_, ordinal) => `${batch}.${ordinal}`),
    );
    expect(found, `MILLRACE_SEED=${seed}, cut back ${cut} times`).toEqual(wanted);
    expect(readdirSync(folder).sort()).toEqual(
      expect.arrayContaining(['host.mjs', 'mark.json', 'out.jsonl']),
    );
    expect(readdirSync(folder)).not.toContain('.out.jsonl.lock');
  });
});
