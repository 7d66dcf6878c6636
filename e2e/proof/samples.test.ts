/** The sample pipelines through the real command: exact results, whatever the number of workers. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { flights, sampleCopy, samples } from '../support/flights.ts';
import { recordsOf, sharedData } from '../support/folders.ts';
import { finished, millrace, nodeOf, run } from '../support/millrace.ts';

const data = sharedData();

describe.each(['1', '3'])('at %s worker(s)', (workers) => {
  const args = ['--data', data.path, '--workers', workers, '--fresh'];

  it('Zeitgeist: two spikes and a dip are told, each second of them once, and nothing else', async () => {
    const begin = Date.UTC(2020, 0, 1);
    const folder = sampleCopy('zeitgeist');
    const { summary } = await finished(run(folder, args));
    const told = recordsOf(folder, 'alerts.jsonl').map(({ key, value, timestamp }) => {
      const { alert, query, second } = value as { alert: string; query: string; second: string };
      expect([key, timestamp]).toEqual([query, Date.parse(second) + 999]);
      return `${alert} ${query} ${(Date.parse(second) - begin) / 1000}`;
    });
    expect(told.sort()).toEqual([
      ...[60, 61, 62, 63].map((second) => `dip weather ${second}`),
      ...[75, 76, 77, 78, 79].map((second) => `spike carnival of venice ${second}`),
      ...[40, 41, 42].map((second) => `spike football ${second}`),
    ]);
    expect(nodeOf(summary, 'n_queries')).toMatchObject({ in: 36_500, late: 0, deadLettered: 0, waiting: 0 });
    expect(nodeOf(summary, 'n_counter')).toMatchObject({ late: 0, droppedLate: 0, waiting: 0 });
  });

  it('Web log: requests and bytes per status and hour are those of the lines, and the broken line is told', async () => {
    const folder = sampleCopy('web-log');
    const { summary, stderr } = await finished(run(folder, args));
    const log = gunzipSync(readFileSync(join(samples, 'web-log/access.log.gz')));
    const lines = log.toString().trimEnd().split('\n');
    const wanted = new Map<string, { requests: number; bytes: number }>();
    let broken = -1;
    let offset = 0;
    for (const line of lines) {
      const found = /\[(.+?):(.+?)\].*" (\d{3}) (\d+|-) "/.exec(line);
      if (found === null) broken = offset;
      else {
        const [, day = '', time = '', status, bytes] = found;
        const at = Date.parse(`${day.replaceAll('/', ' ')} ${time}`);
        const place = `${status} ${Math.floor(at / 3_600_000) * 3_600_000}`;
        const sum = wanted.get(place) ?? { requests: 0, bytes: 0 };
        wanted.set(place, {
          requests: sum.requests + 1,
          bytes: sum.bytes + (bytes === '-' ? 0 : Number(bytes)),
        });
      }
      offset += Buffer.byteLength(line) + 1;
    }
    const found = recordsOf(folder, 'result.jsonl').map(
      ({ key, value, pane }) => [`${key} ${pane?.start}`, value] as const,
    );
    expect(found).toHaveLength(wanted.size);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    expect(summary.deadLetters).toHaveLength(1);
    expect(summary.deadLetters[0]).toMatchObject({
      node: 'n_requests',
      origin: expect.stringContaining(`access.log.gz@${broken}`),
      error: expect.stringContaining('not a line of a combined log'),
    });
    expect(stderr).toContain('lib/combined-log.ts:');
  });
});

it('the recorded cases of all samples pass', async () => {
  flights();
  const ended = await Promise.all(
    ['flight-delays', 'zeitgeist', 'web-log'].map((name) => millrace(['test', sampleCopy(name)])),
  );
  for (const { code, stdout, stderr } of ended) expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
});
