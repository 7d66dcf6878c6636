/** Each benchmark works at a tiny size; nothing is said about time. */
import { expect, test } from 'vitest';
import { benchmarks } from './benchmarks/all.ts';
import { runBenchmarks } from './run-benchmarks.ts';

for (const { id, name, title } of benchmarks) {
  test(`${id} runs through the real engine and gives every figure of its table`, async () => {
    const printed: string[] = [];
    const outcome = await runBenchmarks({
      names: [name],
      tiny: true,
      print: (line) => printed.push(line),
      log: () => undefined,
    });
    if (outcome.kind !== 'measured') throw new Error(`${name} is unknown`);
    const [result] = outcome.figures;
    expect(printed[0]).toBe(title);
    expect(result?.id).toBe(id);
    for (const figure of result?.figures ?? []) {
      expect(figure.values.length, figure.name).toBeGreaterThan(0);
      expect(figure.median, figure.name).not.toBeNull();
    }
    expect(result?.figures.some(({ name }) => name === 'peak memory')).toBe(true);
  });
}

test('an unknown name is answered by the names there are, and nothing runs', async () => {
  const outcome = await runBenchmarks({
    names: ['grep', 'nothing'],
    tiny: true,
    print: () => expect.unreachable('something ran'),
    log: () => undefined,
  });
  expect(outcome).toEqual({
    kind: 'unknown',
    name: 'nothing',
    known: ['grep', 'wordcount', 'state', 'latency', 'stages', 'nexmark', 'liveviews', 'sandbox'],
  });
});
