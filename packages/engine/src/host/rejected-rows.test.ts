import { expect, it } from 'vitest';
import type { SinkContext, SinkDeadLetter, SinkMark } from '../ports.ts';
import { countRejectedRows } from './rejected-rows.ts';

const letter: SinkDeadLetter = {
  row: { position: 1, ordinal: 0, recordId: 'r', key: 'k', timestamp: 0, bytes: new Uint8Array() },
  error: 'refused',
};

class StoredMark implements Pick<SinkContext, 'mark' | 'commit'> {
  stored: SinkMark | undefined;
  loseAnswer = false;

  async mark(): Promise<SinkMark | undefined> {
    return this.stored;
  }

  async commit(mark: SinkMark): Promise<void> {
    this.stored = mark;
    if (this.loseAnswer) throw new Error('the answer was lost');
  }

  async opened(totals: number[]): Promise<SinkContext> {
    return countRejectedRows(
      {
        nodeId: 'n_out',
        nodeName: 'out',
        folder: '/',
        pipelineId: 'p_test',
        now: () => 0,
        secret: async (name) => name,
        mark: () => this.mark(),
        commit: (mark) => this.commit(mark),
      },
      (total) => totals.push(total),
    );
  }
}

it('P9: rows a sink refused are still counted after a restart', async () => {
  const store = new StoredMark();
  const first = await store.opened([]);
  await first.commit({ through: 4, detail: { length: 9 } }, [letter, letter]);
  await first.commit({ through: 5, detail: { length: 12 } }, [letter]);

  const totals: number[] = [];
  const second = await store.opened(totals);
  expect(totals).toEqual([3]);
  expect(await second.mark()).toEqual({ through: 5, detail: { length: 12 } });
});

it('P9: a commit whose answer was lost is counted once', async () => {
  const store = new StoredMark();
  const totals: number[] = [];
  const context = await store.opened(totals);
  store.loseAnswer = true;
  await expect(context.commit({ through: 4, detail: {} }, [letter])).rejects.toThrow('lost');
  store.loseAnswer = false;
  expect((await context.mark())?.through).toBe(4);
  await context.commit({ through: 6, detail: {} }, []);
  expect(totals.at(-1)).toBe(1);
});
