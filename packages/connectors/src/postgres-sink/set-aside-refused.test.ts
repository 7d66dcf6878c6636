import type { SinkRow } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { sinkRow } from '../../test/contexts.ts';
import { setAsideRefused } from './set-aside-refused.ts';

const contentError = Object.assign(new Error('check violated'), { code: '23514' });

describe('rows that a target refuses', () => {
  it('P7: are searched for again when others turn up', async () => {
    const rows = [0, 1, 2, 3].map((ordinal) => sinkRow(1, ordinal, '{}'));
    const bad = new Set([rows[1], rows[3]]);
    const written: (readonly SinkRow[])[] = [];
    const letters = await setAsideRefused(rows, {
      async write(good) {
        if (good.some((row) => bad.has(row))) throw contentError;
        written.push(good);
      },
      async search(good) {
        const row = good.find((each) => bad.has(each));
        return row === undefined ? [] : [{ row, error: 'bad' }];
      },
    });
    expect(letters.map(({ row }) => row)).toEqual([rows[1], rows[3]]);
    expect(written).toEqual([[rows[0], rows[2]]]);
  });

  it('P7: an error that no row is to blame for is thrown, not searched for without end', async () => {
    let searches = 0;
    const setting = setAsideRefused([sinkRow(1, 0, '{}')], {
      write: () => Promise.reject(contentError),
      async search() {
        searches++;
        return [];
      },
    });
    await expect(setting).rejects.toBe(contentError);
    expect(searches).toBe(3);
  });
});
