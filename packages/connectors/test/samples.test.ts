import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { buildBundle, checkFolder, type PipelineCode } from '@millrace/compiler';
import { compilePlan, nodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import type { Computation, StreamRecord } from '@millrace/sdk';
import { runCase } from '@millrace/sdk/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectorSpecs } from '../src/specs.ts';

const samples = fileURLToPath(new URL('../../../samples/', import.meta.url));
const types = nodeTypes(connectorSpecs);

beforeAll(() => void execFileSync(process.execPath, [join(samples, 'prepare.mjs')]));

function folderOf(sample: string): PipelineFolder {
  const folder = join(samples, sample);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.millrace'));
  return readFolder(
    new Map(names.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')])),
  );
}

async function codeOf(folder: PipelineFolder): Promise<PipelineCode> {
  const plan = compilePlan(folder.pipeline, types, {});
  const built = await buildBundle(folder, plan, { inProcess: true });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return (await import(`data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`)).default;
}

function computationOf(code: PipelineCode, node: string): Computation {
  const found = code.nodes[node];
  if (found?.kind !== 'computation') throw new Error(`no computation ${node}: ${JSON.stringify(found)}`);
  return found;
}

describe.each(['flight-delays', 'zeitgeist', 'web-log'])('sample %s', (sample) => {
  it('has no issue', async () => {
    const folder = folderOf(sample);
    const issues = [...folder.issues, ...(await checkFolder(folder, types, { inProcess: true }))];
    expect(issues).toEqual([]);
  });

  it('passes its recorded cases', async () => {
    const folder = folderOf(sample);
    const code = await codeOf(folder);
    const cases = [...folder.files].filter(([path]) => path.startsWith('tests/'));
    expect(cases.length).toBeGreaterThan(0);
    for (const [path, text] of cases) {
      const recorded = JSON.parse(text);
      const { differences } = await runCase(computationOf(code, recorded.node), recorded);
      expect({ path, differences }).toEqual({ path, differences: [] });
    }
  });
});

describe('the inputs of the samples', () => {
  const record = {} as StreamRecord;

  it('W6: 417 flights are out of order, by 377 minutes at most, and the slack covers them', async () => {
    const folder = folderOf('flight-delays');
    const { timestamps } = await codeOf(folder);
    const flights = JSON.parse(
      readFileSync(join(samples, 'flight-delays/flights-2k.json'), 'utf8'),
    ) as unknown[];
    let latest = Number.NEGATIVE_INFINITY;
    const behind = flights.map((flight) => {
      const time = Number(timestamps.n_flights?.(flight, record));
      latest = Math.max(latest, time);
      return (latest - time) / 60_000;
    });
    expect(behind.filter((minutes) => minutes > 0).length).toBe(417);
    expect(Math.max(...behind)).toBe(377);
    expect(folder.pipeline.nodes.get('n_flights')?.config.slack).toBe('7h');
  });

  it('every line of the web log has a time, one is broken, and none is more than the slack out of order', async () => {
    const code = await codeOf(folderOf('web-log'));
    const text = gunzipSync(readFileSync(join(samples, 'web-log/access.log.gz'))).toString();
    const lines = text.trimEnd().split('\n');
    let latest = Number.NEGATIVE_INFINITY;
    let broken = 0;
    for (const line of lines) {
      const time = Number(code.timestamps.n_lines?.(line, record));
      expect(Number.isSafeInteger(time)).toBe(true);
      latest = Math.max(latest, time);
      expect(latest - time).toBeLessThan(60_000);
      const step = { record: { stream: 'lines', value: line, timestamp: time } };
      if (!/" \d{3} (\d+|-) "/.test(line)) {
        broken++;
        const { differences } = await runCase(computationOf(code, 'n_requests'), {
          format: 1,
          steps: [step],
          expect: {},
        });
        expect(differences[0]?.message).toContain(`not a line of a combined log: ${line}`);
      }
    }
    expect([lines.length, broken]).toEqual([8000, 1]);
  });

  it('the regions of Zeitgeist ask each query 8 times a second but for two spikes and a dip', async () => {
    const code = await codeOf(folderOf('zeitgeist'));
    const begin = Date.UTC(2020, 0, 1);
    const asked = new Map<string, number>();
    for (const [region, count, firstSlot] of [
      ['n_europe', 12_000, 0],
      ['n_america', 12_000, 0],
      ['n_asia', 12_500, -500],
    ] as const) {
      let latest = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < count; n++) {
        const value = code.values[region]?.(n, 0, Math.random) as { region: string; slot: number };
        expect(value.slot).toBe(n + firstSlot);
        const time = Number(code.timestamps[region]?.(value, record));
        latest = Math.max(latest, time);
        expect(latest - time).toBeLessThan(1000);
        expect(Math.floor((time - begin) / 1000) - Math.floor(value.slot / 100)).toBeLessThanOrEqual(0);
        const second = Math.floor((time - begin) / 1000);
        if (value.slot >= 0) expect(second).toBe(Math.floor(value.slot / 100));
        asked.set(`${second}`, (asked.get(`${second}`) ?? 0) + 1);
      }
    }
    for (let second = 0; second < 120; second++) expect(asked.get(`${second}`)).toBe(300);
  });
});
