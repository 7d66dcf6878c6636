import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkFolder } from '@millrace/compiler';
import type { StreamRecord } from '@millrace/sdk';
import { runCase } from '@millrace/sdk/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, computationOf, folderOf, prepareSamples, samples, types } from './sample-folders.ts';

beforeAll(prepareSamples);

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
});
