import type { DeadLetterRow, FoldBatch, PipelineStore } from '@millrace/engine';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { mappingDeadLetters } from './mapped-dead-letters.ts';

const source =
  'type N = number;\n\nexport const check = (n: N) => {\n  throw new RangeError("no " + n);\n};\n';
const bundle = transformSync(source, {
  loader: 'ts',
  sourcemap: 'inline',
  sourcefile: 'nodes/check.ts',
}).code;
const line = bundle.split('\n').findIndex((text) => text.includes('throw')) + 1;
const stack = `RangeError: no 1\n    at check (blob:null/1-2:${line}:9)\n    at #call (file:///boot.js:4:2)`;

async function folded(letter: Partial<DeadLetterRow>): Promise<string | undefined> {
  const batches: FoldBatch[] = [];
  const store = { fold: async (_: number, batch: FoldBatch) => void batches.push(batch) };
  const mapping = mappingDeadLetters(store as unknown as PipelineStore, { number: 3, bundle });
  await mapping.fold(1, { deadLetters: [letter] } as unknown as FoldBatch);
  return batches[0]?.deadLetters[0]?.stack;
}

describe('a dead letter of a run', () => {
  it('P8: is stored with its stack in lines of the TypeScript', async () => {
    expect(await folded({ stack, version: 3 })).toMatch(
      /^RangeError: no 1\n {4}at check \(nodes\/check\.ts:4:\d+\)$/,
    );
  });

  it('of another version keeps its stack: the map is not for it', async () => {
    expect(await folded({ stack, version: 2 })).toBe(stack);
  });
});
