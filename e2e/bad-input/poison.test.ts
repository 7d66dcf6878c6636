/** Code that ends its worker (P8): the input that does it is set aside, its neighbours are processed once. */
import { describe, expect, it } from 'vitest';
import { deadLetters, pipelineFolder, recordsOf, sharedData } from '../support/folders.ts';
import { finished, nodeOf, run, startMillrace } from '../support/millrace.ts';
import { chain, step } from '../support/nodes.ts';
import { until } from '../support/processes.ts';

const data = sharedData();

const HEAP = 'const all: unknown[] = []; for (let i = 0; ; i++) all.push(new Array(50_000).fill(i + 0.5));';
const BUFFERS = 'const all: unknown[] = []; for (;;) all.push(new Uint8Array(16 << 20).fill(1));';
const COUNT = `const n = (ctx.state.get() ?? 0) + 1; ctx.state.set(n); ctx.map('seen').set(value.n, true);`;

describe('code that ends its worker', () => {
  it('P8: loops, a heap and buffers without end, in a handler or an expression: each is one dead letter, and every other record is counted once', async () => {
    const poison = new Map([
      [10, 'key'],
      [21, 'loop'],
      [33, 'heap'],
      [48, 'buffers'],
    ]);
    const input = Array.from({ length: 60 }, (_, n) => ({ n, k: `k${n % 6}`, do: poison.get(n) ?? '' }));
    const folder = await pipelineFolder(
      chain({
        input: { type: '{ n: number; k: string; do: string }' },
        keyBy: "value.do === 'key' ? (() => { for (;;); })() : value.k",
      }),
      {
        'in.jsonl': input.map((value) => JSON.stringify(value)).join('\n'),
        'nodes/step.ts': step(`${COUNT}
    if (value.do === 'loop') for (;;);
    if (value.do === 'heap') { ${HEAP} }
    if (value.do === 'buffers') { ${BUFFERS} }
    ctx.produce('out', { n: value.n, seen: n, of: ctx.map('seen').size });`),
      },
    );
    const { summary, stderr } = await finished(run(folder, ['--data', data.path, '--workers', '2']));
    const letters = await deadLetters(data.path, folder);
    const about = (n: number) => letters.find(({ input: text }) => new RegExp(`n\\\\?":${n},`).test(text));
    expect(letters).toHaveLength(4);
    expect(about(10)).toMatchObject({
      node: 'n_in',
      origin: expect.stringMatching(/^in\.jsonl at offset \d+$/),
    });
    expect(about(21)?.error).toContain('no progress for 5 s');
    expect(about(33)?.error).toMatch(/out of memory|memory/);
    expect(about(48)?.error).toMatch(/allocation|memory/);
    for (const letter of [21, 33, 48].map(about)) {
      expect(letter?.node).toBe('n_step');
      expect(letter?.origin).toMatch(/in\.jsonl@\d+ on "in"/);
    }
    const seen = new Map<string, number>();
    const wanted = input.flatMap(({ n, k }) => {
      if (poison.has(n)) return [];
      seen.set(k, (seen.get(k) ?? 0) + 1);
      return [JSON.stringify([k, { n, seen: seen.get(k), of: seen.get(k) }])];
    });
    const found = recordsOf(folder).map(({ key, value }) => JSON.stringify([key, value]));
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(nodeOf(summary, 'n_step')).toMatchObject({ in: 59, deadLettered: 3, waiting: 0 });
    expect(stderr).toContain('it is started again and goes on where it was');
    expect(stderr).toContain('Correct the node or the input');
  }, 180_000);

  it('P8: what an input has filled the memory with is not laid at the door of those behind it', async () => {
    const input = Array.from({ length: 80 }, (_, n) => ({
      n,
      k: `k${n % 40}`,
      do: n === 5 ? 'loop' : n % 20 === 13 ? 'buffers' : '',
    }));
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; k: string; do: string }' }, keyBy: 'value.k' }),
      {
        'in.jsonl': input.map((value) => JSON.stringify(value)).join('\n'),
        'nodes/step.ts': step(`
    if (value.do === 'loop') for (;;);
    if (value.do === 'buffers') { ${BUFFERS} }
    ctx.produce('out', { n: value.n, text: new Array(3000).fill(value.n).map(String).join(',') });`),
      },
    );
    await finished(run(folder, ['--data', data.path]));
    const poison = input.filter((value) => value.do !== '').map(({ n }) => n);
    const letters = (await deadLetters(data.path, folder)).map(({ input: text }) => JSON.parse(text).n);
    expect(letters.toSorted((a, b) => a - b)).toEqual(poison);
    expect(recordsOf(folder)).toHaveLength(input.length - poison.length);
  }, 180_000);

  it('P8: keys of another worker go on while one hangs', async () => {
    const input = Array.from({ length: 200 }, (_, n) => ({ n, k: `k${n % 20}` }));
    const folder = await pipelineFolder(
      chain({
        input: { type: '{ n: number; k: string }' },
        keyBy: 'value.k',
      }),
      {
        'in.jsonl': input.map((value) => JSON.stringify(value)).join('\n'),
        'nodes/step.ts': step(`${COUNT} if (value.n === 0) for (;;); ctx.produce('out', n);`),
      },
    );
    const running = startMillrace([
      'run',
      folder,
      '--json',
      '--data',
      data.path,
      '--workers',
      '3',
      '--fresh',
    ]);
    const size = () => {
      try {
        return recordsOf(folder).length;
      } catch {
        return 0;
      }
    };
    const went = await until(() => size() > 50, running.ended);
    expect(went || (await running.ended).stderr).toBe(true);
    running.kill('SIGKILL');
    await running.ended;
  });

  it('P8, P11: keys of the same worker go on while one input is on trial; it alone is set aside', async () => {
    const input = Array.from({ length: 200 }, (_, n) => ({ n, k: `k${n % 20}` }));
    const folder = await pipelineFolder(
      chain({ input: { type: '{ n: number; k: string }' }, keyBy: 'value.k' }),
      {
        'in.jsonl': input.map((value) => JSON.stringify(value)).join('\n'),
        'nodes/step.ts': step(
          `${COUNT} if (value.n === 23) for (;;); ctx.produce('out', { n: value.n, seen: n });`,
        ),
      },
    );
    const running = startMillrace([
      'run',
      folder,
      '--json',
      '--data',
      data.path,
      '--workers',
      '1',
      '--fresh',
    ]);
    const size = () => {
      try {
        return recordsOf(folder).length;
      } catch {
        return 0;
      }
    };
    await running.said('it is started again');
    // All of the other keys, while nobody knows which input it was.
    let isFound = false;
    void running.said('an input was found').then(
      () => {
        isFound = true;
      },
      () => undefined,
    );
    expect(await until(() => isFound || size() >= 190, running.ended)).toBe(true);
    expect(isFound).toBe(false);
    const { summary, stderr } = await running.ended;
    expect(stderr.match(/it is started again/g)).toHaveLength(1);
    expect(nodeOf(summary, 'n_step')).toMatchObject({ in: 200, deadLettered: 1, waiting: 0 });
    const letters = await deadLetters(data.path, folder);
    expect(letters.map(({ node, input: text }) => [node, JSON.parse(text).n])).toEqual([['n_step', 23]]);
    expect(letters[0]?.error).toContain('no progress for 5 s');
    const found = new Map<string, unknown[]>();
    for (const { key, value } of recordsOf(folder)) found.set(key, [...(found.get(key) ?? []), value]);
    for (const k of new Set(input.map((value) => value.k)))
      expect(found.get(k)).toEqual(
        input.filter((value) => value.k === k && value.n !== 23).map(({ n }, i) => ({ n, seen: i + 1 })),
      );
  });
});
