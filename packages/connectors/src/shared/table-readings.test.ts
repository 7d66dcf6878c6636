import type { SourceChunk } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { tablePartition } from './table-readings.ts';

interface Rig {
  readonly refreshMs: number | undefined;
  /** What each reading gives: rows, or how it ends. */
  readonly readings: readonly (readonly (string | Error)[])[];
  readonly stopAfter: number;
  readonly jumpsBack?: boolean;
  /** When it is stopped. */
  readonly ends?: number;
  /** Nothing of what was handed over is committed yet. */
  readonly isStuck?: boolean;
}

/** Time passes only where it is waited for. */
async function played({
  refreshMs,
  readings,
  stopAfter,
  jumpsBack = false,
  isStuck = false,
  ends = Infinity,
}: Rig) {
  const abort = new AbortController();
  const attempts: number[] = [];
  let [at, next] = [10_000, 0];
  const table = {
    refreshMs,
    now: () => at,
    wait: async (ms: number) => {
      at += jumpsBack ? -ms : ms;
      if (at > ends) abort.abort();
      return !abort.signal.aborted;
    },
    async *rows() {
      for (const part of readings[next++] ?? []) {
        if (part instanceof Error) throw part;
        yield new TextEncoder().encode(part);
      }
    },
    isAway: (error: unknown, attempt: number) => {
      attempts.push(attempt);
      return (error as Error).message === 'away';
    },
  };
  const seen: string[] = [];
  const partition = tablePartition('t', table);
  if (isStuck) setImmediate(() => abort.abort());
  for await (const chunk of partition.read(7, abort.signal)) {
    seen.push(spell(chunk));
    if (chunk.kind === 'bytes' && !isStuck) partition.committed?.(chunk.offset + chunk.bytes.length, []);
    if (seen.length === stopAfter) abort.abort();
  }
  return { seen, attempts };
}

function spell(chunk: SourceChunk): string {
  if (chunk.kind === 'version')
    return `version ${chunk.time}…${chunk.end}${chunk.same === true ? ' same' : ''}`;
  if (chunk.kind === 'reached') return `reached ${chunk.time}`;
  return chunk.kind === 'bytes' ? `${chunk.offset} ${Buffer.from(chunk.bytes)}` : chunk.kind;
}

describe('readings of a table', () => {
  it('without a refresh it is read once, stands for ever and ends', async () => {
    const { seen } = await played({ refreshMs: undefined, readings: [['ab', 'c']], stopAfter: 99 });
    expect(seen).toEqual([`version 10000…${Number.MAX_SAFE_INTEGER}`, '7 ab', '9 c', 'ended']);
  });

  it('is read again when it has stood for the refresh, and tells every second how far it is', async () => {
    const { seen } = await played({ refreshMs: 2_500, readings: [['ab'], [], ['c']], stopAfter: 11 });
    const ticks = (from: number) => [0, 1_000, 2_000, 2_500].map((ms) => `reached ${from + ms}`);
    expect(seen).toEqual([
      ...['version 10000…12500', '7 ab', ...ticks(10_000)],
      ...['version 12500…15000', ...ticks(12_500)],
    ]);
  });

  it('one that breaks off is begun anew, and nothing is reached before one is whole', async () => {
    const away = new Error('away');
    const { seen, attempts } = await played({
      refreshMs: 1_000,
      readings: [['a', away], [away], ['b']],
      stopAfter: 5,
    });
    expect(seen).toEqual(['version 10000…11000', '7 a', 'version 10300…11300', '8 b', 'reached 10300']);
    expect(attempts).toEqual([0, 1]);
  });

  it('a reading with what the one before had hands over no row; one behind a reading that broke off does', async () => {
    const { seen } = await played({
      refreshMs: 1_000,
      readings: [['ab', 'c'], ['a', 'bc'], ['d'], ['d', new Error('away')], ['d'], []],
      stopAfter: 99,
      ends: 17_300,
    });
    expect(seen.filter((chunk) => !chunk.startsWith('reached'))).toEqual([
      'version 10000…11000',
      '7 ab',
      '9 c',
      'version 11000…12000 same',
      'version 12000…13000',
      '10 d',
      'version 13100…14100 same',
      'version 14100…15100',
      'version 15100…16100 same',
      'version 16100…17100 same',
      'version 17100…18100 same',
    ]);
  });

  it('is not read again before all of it is taken up', async () => {
    const { seen } = await played({
      refreshMs: 1_000,
      readings: [['a'], ['b']],
      stopAfter: 99,
      isStuck: true,
    });
    expect(seen).toEqual(['version 10000…11000', '7 a', 'reached 10000', 'reached 11000']);
  });

  it('an error that waiting cannot mend is thrown', async () => {
    await expect(
      played({ refreshMs: 1_000, readings: [[new Error('no such table')]], stopAfter: 9 }),
    ).rejects.toThrow('no such table');
  });

  it('a clock that jumps back does not keep an old version', async () => {
    const { seen } = await played({
      refreshMs: 60_000,
      readings: [['a'], ['b']],
      stopAfter: 6,
      jumpsBack: true,
    });
    expect(seen.slice(3)).toEqual(['reached 10000', 'version 9000…69000', '8 b']);
  });
});
