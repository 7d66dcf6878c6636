import { afterAll, describe, expect, it } from 'vitest';
import { filterLauncher, openRecordFilter, type RecordFilter } from './record-filter.ts';

const launcher = filterLauncher();
afterAll(() => launcher.close());

const record = (text: string, key = 'a') => ({ text, key, timestamp: 5, stream: 's_0' });

async function opened(expression: string): Promise<RecordFilter> {
  const outcome = await openRecordFilter(launcher, expression);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.filter;
}

describe('a filter over sampled records', () => {
  it('keeps what its TypeScript expression says, with exact numbers', async () => {
    const filter = await opened(
      `(value as { n: bigint }).n === ${2n ** 70n}n || record.key === 'b' && record.timestamp === 5 // all of them`,
    );
    const records = [record(`{"n":${2n ** 70n}}`), record('{"n":1}'), record('{"n":1}', 'b')];
    expect(await filter.keep(records)).toEqual({ kept: [0, 2], failed: 0, error: undefined });
    filter.close();
  });

  it('says where it throws or gives no boolean, and goes on', async () => {
    const filter = await opened('value.a.b');
    const records = [record('{}'), record('{"a":{"b":true}}'), record('{"a":{"b":1}}')];
    expect(await filter.keep(records)).toMatchObject({
      kept: [1],
      failed: 2,
      error: expect.stringContaining('undefined'),
    });
    filter.close();
  });

  it('is refused when it is not one expression', async () => {
    const refused = async (text: string) => {
      const opened = await openRecordFilter(launcher, text);
      return opened.kind === 'refused' && opened.message;
    };
    expect(await refused('value.n % ')).toBe('The filter cannot be read at its end: expression expected.');
    expect(await refused('const x = 1')).toMatch(
      /^The filter cannot be read at “const x = 1”: identifier expected/,
    );
    expect(await refused('true); while (true) {} (1')).toMatch(
      /^The filter is not one expression: write what/,
    );
  });

  it('is ended when it takes too long, and says so', async () => {
    const filter = await opened('(() => { for (;;); })()');
    await expect(filter.keep([record('1')])).rejects.toThrow('no answer in 1 s');
    await expect(filter.keep([record('1')])).rejects.toThrow();
  });

  it('has no file, no network and no environment', async () => {
    const filter = await opened(
      "typeof globalThis.Deno === 'undefined' && typeof fetch === 'undefined' && typeof process === 'undefined'",
    );
    expect((await filter.keep([record('1')])).kept).toEqual([0]);
    filter.close();
  });
});
