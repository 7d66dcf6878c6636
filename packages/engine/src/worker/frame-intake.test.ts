import { expect, test } from 'vitest';
import { FrameIntake } from './frame-intake.ts';
import { PartitionIngest } from './ingest/partition-ingest.ts';

const CHUNK = 65_536;

function setUp() {
  const partition = new PartitionIngest(
    'in.jsonl',
    {
      format: 'jsonl',
      columns: undefined,
      delimiter: undefined,
      timestampRule: { unit: 'ms', zone: 'UTC' },
      slackMs: 0,
      exact: false,
      futureBoundMs: undefined,
      timestamp: undefined,
      value: undefined,
      now: () => 0,
      beforeRecord: () => undefined,
    },
    undefined,
  );
  const intake = new FrameIntake({
    partition: () => partition,
    deliver: () => 0,
    watermarks: () => undefined,
    intervals: () => undefined,
    inherit: () => undefined,
    finalWall: () => undefined,
    table: () => undefined,
  });
  return { partition, intake };
}

test.each([100_000, 1_000_000, 5_000_000, 12_000_000])(
  'a record of %i bytes, longer than what a partition reads ahead, is taken chunk by chunk to its end',
  (length) => {
    const { partition, intake } = setUp();
    const bytes = Buffer.from(`{"n":1}\n"${'x'.repeat(length)}"\n{"n":2}\n`);
    let sequence = 0;
    for (let offset = 0; offset < bytes.length; offset += CHUNK)
      intake.push({
        kind: 'chunk',
        sequence: ++sequence,
        node: 0,
        partition: 0,
        chunk: { kind: 'bytes', offset, bytes: bytes.subarray(offset, offset + CHUNK) },
      });
    const found: unknown[] = [];
    // Far more steps than chunks: what stands still is seen, not waited for.
    for (let step = 0; step < 1_000 && intake.finished < sequence; step++) {
      intake.take(2_048);
      for (let item = partition.next(); item !== undefined; item = partition.next())
        found.push(item.kind === 'record' ? item.value : 'error' in item && item.error);
    }
    expect(intake.empty).toBe(true);
    expect(found).toHaveLength(3);
    expect([found[0], found[2]]).toEqual([{ n: 1 }, { n: 2 }]);
    if (length > 8 << 20) expect(String(found[1])).toContain('longer than 8 MiB');
    else expect((found[1] as string).length).toBe(length);
  },
);
