/**
 * N6, TR1, TR3: what `lookup` makes of the changes that a reader tells is what the whole tables say, wherever a reading
 * breaks off and whoever reads on.
 */

import type { SourceMark, TableStanding } from '@millrace/protocol';
import { input, lookup, type TableKnowledge } from '@millrace/sdk';
import { type Harness, harness } from '@millrace/sdk/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PartitionIngest } from './partition-ingest.ts';

interface Row {
  readonly key: string;
  readonly name: string;
}

const REFRESH = 10;
const KEYS = ['a', 'b', 'c'];

/** One reading: the table, and what becomes of it. */
const reading = fc.record({
  table: fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('x', 'y'), { noNullPrototype: true }),
  /** Rows of it that are there twice. */
  twice: fc.boolean(),
  fate: fc.oneof(
    { weight: 4, arbitrary: fc.constant('whole' as const) },
    { weight: 1, arbitrary: fc.constantFrom('broken' as const, 'broken, another reader' as const) },
    { weight: 1, arbitrary: fc.constant('whole, another reader' as const) },
  ),
  /** How long after the end of the one before it is read. */
  lag: fc.nat(3),
  same: fc.boolean(),
});
type Reading = typeof reading extends fc.Arbitrary<infer R> ? R : never;

class Play {
  readonly subject: Harness<{ left: { n: number }; right: Row }, { out: string; late: { n: number } }>;
  /** By time from which it stands: the table as it was read whole. */
  readonly versions: { readonly start: number; readonly table: Readonly<Record<string, string>> }[] = [];
  readonly asked: { readonly key: string; readonly time: number }[] = [];
  #reader = this.#open(undefined);
  #mark: SourceMark | undefined;
  #offset = 0;
  #sequence = 0;
  #complete = false;
  now = 100;

  constructor() {
    const node = lookup(input<{ n: number }>(), input<Row>(), {
      kind: 'left',
      join: ({ n }, row) => `${n} ${row === null ? '-' : row.name}`,
    });
    this.subject = harness(node, { isolated: false }) as never;
  }

  #open(mark: SourceMark | undefined): PartitionIngest {
    return new PartitionIngest(
      'table',
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
        now: () => this.now,
        beforeRecord: () => undefined,
      },
      mark,
    );
  }

  read({ table, twice, fate, lag, same }: Reading): void {
    const until = this.#reader.standing?.until;
    this.now = Math.max(this.now + 1, (until ?? this.now) + lag);
    const isSame = same && this.#complete && this.versions.length > 0;
    const found = isSame ? (this.versions.at(-1)?.table ?? {}) : table;
    this.#push({ kind: 'version', time: this.now, end: this.now + REFRESH, ...(isSame && { same: true }) });
    const lines = Object.entries(found).map(([key, name]) => `${JSON.stringify({ key, name })}\n`);
    const isBroken = fate.startsWith('broken') && !isSame;
    this.#complete = !isBroken;
    for (const line of isSame ? [] : twice ? [...lines, ...lines] : lines) this.#bytes(line);
    this.#deliver();
    if (!isBroken) {
      this.versions.push({ start: until ?? Number.MIN_SAFE_INTEGER, table: found });
      this.#push({ kind: 'reached', time: this.now });
      this.#deliver();
    }
    if (fate.endsWith('another reader')) {
      this.#reader = this.#open(this.#mark);
      this.#offset = this.#mark?.offset ?? 0;
      this.#complete = false;
    }
  }

  ask(key: string, time: number): void {
    this.asked.push({ key, time });
    this.subject.record('left', key, { n: this.asked.length - 1 }, time);
  }

  #push(chunk: Parameters<PartitionIngest['push']>[0]): void {
    this.#reader.push(chunk, ++this.#sequence);
  }

  #bytes(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#push({ kind: 'bytes', offset: this.#offset, bytes });
    this.#offset += bytes.length;
  }

  #deliver(): void {
    this.#reader.beginReading();
    for (let item = this.#reader.next(); item !== undefined; item = this.#reader.next()) {
      if (item.kind !== 'record') continue;
      const { value, timestamp, pane } = item;
      this.subject.record({ stream: 'right', key: (value as Row).key, value: value as Row, timestamp, pane });
    }
    this.#mark = this.#reader.takeMark() ?? this.#mark;
    const { standing } = this.#reader;
    if (standing !== undefined) this.subject.table('right', knowledgeOf(standing));
  }
}

function knowledgeOf({ until, fresh }: TableStanding): TableKnowledge {
  return {
    until,
    goneFrom: (index) => fresh.find((each) => each.index > index)?.start ?? Number.POSITIVE_INFINITY,
  };
}

const asking = fc.record({ key: fc.constantFrom(...KEYS, 'd'), ago: fc.integer({ min: -12, max: 30 }) });

it('R49, LK1, LK2, TR4: gives what the whole tables say, also where readings break off and readers change', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ reading, asks: fc.array(asking, { maxLength: 4 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      (steps) => {
        const play = new Play();
        for (const { reading: given, asks } of steps) {
          for (const { key, ago } of asks) play.ask(key, Math.max(0, play.now - ago));
          play.read(given);
          play.subject.wall(play.now * 100_000);
        }
        play.read({ table: {}, twice: false, fate: 'whole', lag: 0, same: true });
        play.read({ table: {}, twice: false, fate: 'whole', lag: 3, same: true });
        play.subject.wall(play.now * 200_000);
        const due = play.asked.map(({ key, time }, n) => {
          const version = play.versions.findLast(({ start }) => start <= time);
          return `${n} ${version !== undefined && Object.hasOwn(version.table, key) ? version.table[key] : '-'}`;
        });
        expect(
          play.subject
            .outputs('out')
            .map(({ value }) => value)
            .sort(),
        ).toEqual(due.sort());
        expect(JSON.stringify(play.subject.trace())).not.toContain('came after it was decided');
        expect(play.subject.end().keys()).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
