/** Records posted over HTTP, while whatever takes them is killed: each is in once, whoever sends it again. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { deadLetters, pipelineFolder, recordsOf, serverPid, tempFolder } from './support/folders.ts';
import { type Running, startMillrace } from './support/millrace.ts';
import { COUNTING, code, out, step } from './support/nodes.ts';
import { killWhenThere, workersOf } from './support/processes.ts';
import { freePort } from './support/served.ts';

const TOKEN = 'a-token-of-this-test';
const pipeline = {
  name: 'Posted & counted',
  nodes: {
    n_in: {
      type: 'injector/http',
      name: 'events in',
      config: { type: '{ n: number; at: number }', timestamp: 'value.at', futureBound: 'off' },
    },
    n_step: code('step', 'step'),
    n_out: out(),
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_step', 'in'], keyBy: 'String(value.n % 7)' },
    s_out: { from: ['n_step', 'out'], to: ['n_out', 'in'] },
  },
};

const folderOf = () => pipelineFolder(pipeline, { 'nodes/step.ts': step(COUNTING) });
const body = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${JSON.stringify({ n: from + i, at: from + i })}\n`).join('');

interface Target {
  readonly port: number;
  readonly path: string;
}

const post = ({ port, path }: Target, text: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: text,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-ndjson', ...headers },
  });

/** As a good client does it: the same key and body until there is an answer. */
async function postUntilTaken(target: Target, key: string, text: string): Promise<{ accepted: number }> {
  const giveUp = Date.now() + 90_000;
  while (Date.now() < giveUp) {
    try {
      const response = await post(target, text, { 'idempotency-key': key });
      if (response.status === 200) return (await response.json()) as { accepted: number };
      if (response.status !== 503 && response.status !== 429) throw new Error(`status ${response.status}`);
      expect(response.headers.get('retry-after')).toBe('1');
      await response.body?.cancel();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(50);
  }
  throw new Error(`${key} was not taken`);
}

function start(folder: string, data: string, port: number, faults?: object): Running {
  const args = ['run', folder, '--data', data, '--port', String(port), '--workers', '2', '--json'];
  const env = {
    MILLRACE_INGEST_TOKEN: TOKEN,
    ...(faults === undefined ? {} : { MILLRACE_FAULTS: JSON.stringify(faults) }),
  };
  return startMillrace(args, { env });
}

const REQUESTS = 12;
const EACH = 2_000;

function expectEachOnce(folder: string, total: number): void {
  const rows = recordsOf(folder).map(({ key, value }) => ({
    key,
    ...(value as { n: number; seen: number }),
  }));
  expect(rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n));
  for (const { key } of rows.slice(0, 7))
    expect(
      rows
        .filter((row) => row.key === key)
        .map(({ seen }) => seen)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: Math.ceil((total - Number(key)) / 7) }, (_, i) => i + 1));
}

describe('posted records', () => {
  it.each([
    ['host', 'before-commit', 6],
    ['host', 'during-commit', 9],
    ['host', 'after-commit-before-acknowledge', 7],
    ['host', 'during-fold', 1],
    ['host', 'after-sink-write', 3],
    ['worker', 'after-commit-before-acknowledge', 5],
    ['postgres', 'during-commit', 8],
  ])('Y5: are in once when the %s is killed %s (#%i)', async (victim, at, pass) => {
    const [folder, port] = [await folderOf(), await freePort()];
    const data = tempFolder('data');
    const pace = { bundleRecords: 300, foldEveryMs: 150, trace: join(tempFolder('trace'), 'commits') };
    const target = { port, path: '/in/Posted%20%26%20counted/events%20in' };
    const first = start(folder, data, port, { ...pace, kills: [{ at, pass, victim }] });
    const answers = Promise.all(
      Array.from({ length: REQUESTS }, (_, i) =>
        // Each is sent by two clients at a time.
        Promise.all([0, 1].map(() => postUntilTaken(target, `key-${i}`, body(i * EACH, (i + 1) * EACH)))),
      ),
    );
    // What fails of them is told below; until then it is nobody's.
    answers.catch(() => undefined);
    let running = first;
    if (victim === 'host') {
      const killed = first.ended.then(({ signal }) => signal);
      expect(await Promise.race([killed, answers.then(() => 'no kill')])).toBe('SIGKILL');
      running = start(folder, data, port, { ...pace, kills: [] });
    }
    for (const [a, b] of await answers) {
      expect(a).toEqual({ accepted: EACH, rejected: [] });
      expect(b).toEqual(a);
    }
    // Long after: the same answer, and another body under the same key is refused.
    expect(await postUntilTaken(target, 'key-3', body(3 * EACH, 4 * EACH))).toEqual({
      accepted: EACH,
      rejected: [],
    });
    expect((await post(target, body(0, 1), { 'idempotency-key': 'key-3' })).status).toBe(422);
    running.kill('SIGTERM');
    const { summary } = await running.ended;
    expect(summary.kind).toBe('drained');
    expectEachOnce(folder, REQUESTS * EACH);
  });

  it('answer with what was rejected, by index, and keep it as dead letters', async () => {
    const [folder, port, data] = [await folderOf(), await freePort(), tempFolder('data')];
    const running = start(folder, data, port);
    await running.said('Post records for "events in"');
    const target = { port, path: '/in/Posted%20%26%20counted/n_in' };
    const lines = ['{"n":0,"at":0}', '{"n":', '{"n":2}', '{"n":3,"at":3}'];
    await expect
      .poll(() =>
        post(target, '').then(
          (r) => r.status,
          () => 0,
        ),
      )
      .toBe(200);
    const response = await post(target, lines.join('\r\n'), { 'idempotency-key': 'k' });
    const answer = (await response.json()) as {
      accepted: number;
      rejected: { index: number; reason: string }[];
    };
    expect([answer.accepted, answer.rejected.map(({ index }) => index)]).toEqual([2, [1, 2]]);
    expect(answer.rejected[1]?.reason).toContain('timestamp');
    expect((await post(target, lines.join('\r\n'), { authorization: 'Bearer guess' })).status).toBe(401);
    running.kill('SIGTERM');
    await running.ended;
    expect(recordsOf(folder).map(({ value }) => (value as { n: number }).n)).toEqual([0, 3]);
    const letters = await deadLetters(data, folder);
    expect(letters.map(({ origin }) => origin)).toEqual([
      'record 1 of the request "k"',
      'record 2 of the request "k"',
    ]);
  });

  it('survive workers and Postgres killed at any time, as one stream of small requests', async () => {
    const [folder, port, data] = [await folderOf(), await freePort(), tempFolder('data')];
    const running = start(folder, data, port);
    await running.said('Post records for "events in"');
    const target = { port, path: '/in/Posted%20%26%20counted/n_in' };
    await expect
      .poll(() =>
        post(target, '').then(
          (r) => r.status,
          () => 0,
        ),
      )
      .toBe(200);
    let next = 0;
    const client = async () => {
      while (next < 1_500) {
        const n = next++;
        await postUntilTaken(target, `one-${n}`, body(n, n + 1));
        if (n % 500 === 250) await killWhenThere(() => workersOf(running.pid)[n % 2]);
        if (n === 700) await killWhenThere(() => serverPid(data));
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    running.kill('SIGTERM');
    expect((await running.ended).summary.kind).toBe('drained');
    expectEachOnce(folder, 1_500);
  });
});
