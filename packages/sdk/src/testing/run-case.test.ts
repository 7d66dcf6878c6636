import { describe, expect, it } from 'vitest';
import { aggregate, computation, count, input, lookup, sum, tumbling } from '../index.ts';
import { type RecordedCase, runCase, traceCase } from './index.ts';

const hourly = aggregate(input<{ n: number }>(), {
  window: tumbling(1000),
  aggregates: { records: count(), total: sum((v) => v.n) },
});

const remembering = computation<{ in: unknown }, { out: unknown }, unknown>({
  processRecord(record, ctx) {
    ctx.state.set(record.value);
    ctx.produce('out', record.value);
  },
});

const inHour: RecordedCase = {
  format: 1,
  steps: [
    { record: { stream: 'in', key: 'k', value: { n: 2 }, timestamp: 10 } },
    { restart: true },
    { record: { stream: 'in', key: 'k', value: { n: 3 }, timestamp: 999 } },
    { watermark: 1000 },
    { record: { stream: 'in', key: 'k', value: { n: 9 }, timestamp: 999 } },
    { wall: 5 },
    { end: true },
  ],
  expect: {
    out: [
      {
        value: { records: 2, total: 5 },
        key: 'k',
        timestamp: 999,
        pane: { start: 0, end: 1000, index: 0, timing: 'on-time', last: true },
      },
    ],
  },
  late: [{ value: { n: 9 }, timestamp: 999 }],
  state: { k: null },
};

describe('runCase', () => {
  it('passes where all is as recorded', async () => {
    expect(await runCase(hourly, inHour)).toEqual({ passed: true, differences: [] });
  });

  it('gives differences as data', async () => {
    const wrong: RecordedCase = {
      ...inHour,
      expect: { out: [{ value: { records: 2, total: 6 } }] },
      late: [],
      state: { k: { n: 1 } },
    };
    const { passed, differences } = await runCase(hourly, wrong);
    expect(passed).toBe(false);
    expect(differences.map((each) => each.kind)).toEqual(['unexpected', 'missing', 'late', 'state']);
    expect(JSON.parse(JSON.stringify(differences))).toEqual(differences);
  });

  it('names the step at which the computation threw, with its stack', async () => {
    const failing = computation<{ in: unknown }, object>({
      processRecord() {
        throw new Error('no good');
      },
    });
    const { differences } = await runCase(failing, inHour);
    expect(differences).toMatchObject([{ kind: 'error', step: 0 }]);
    expect(differences[0]?.message).toContain('run-case.test.ts');
  });

  it('lists every fault of the case itself', async () => {
    const faulty = {
      format: 2,
      steps: [{ recrod: {} }, { record: { key: 1, timestamp: 0.5 } }, { watermark: null }, { restart: 1 }, 7],
      expect: { out: [1] },
      late: {},
      state: [],
    };
    const { differences } = await runCase(hourly, faulty as never);
    expect(differences.map((each) => each.message)).toEqual([
      'format is 2; this version reads format 1',
      'steps[0] has the unknown step "recrod"',
      'steps[1].record.stream must name an input',
      'steps[1].record.key must be text',
      'steps[1].record.value is missing',
      'steps[1].record.timestamp must be whole milliseconds',
      'steps[2].watermark must be whole milliseconds',
      'steps[3].restart must be true',
      'steps[4] must have one of "record", "watermark", "wall", "restart" and "end"',
      'expect.out[0] must be an object with a "value"',
      'late must be an array of records',
      'state must be an object: key → state',
    ]);
    for (const hostile of [null, 1, 'x', []]) {
      expect((await runCase(hourly, hostile as never)).passed).toBe(false);
    }
  });

  it('gives a record its pane, such as a row of a table has', async () => {
    const row = { stream: 'right', key: 'AA', value: 'American', timestamp: 0 };
    const given: RecordedCase = {
      format: 1,
      steps: [
        { record: { ...row, pane: { start: 0, end: 100 } } },
        { record: { stream: 'left', key: 'AA', value: 1, timestamp: 99 } },
      ],
      expect: { out: [{ value: { left: 1, right: 'American' }, timestamp: 99 }] },
    };
    expect(await runCase(lookup(input<number>(), input<string>()), given)).toEqual({
      passed: true,
      differences: [],
    });
    const wrong = { ...given, steps: [{ record: { ...row, pane: { start: 0 } } }] } as never;
    expect((await runCase(lookup(input<number>(), input<string>()), wrong)).differences).toEqual([
      {
        kind: 'case',
        message: 'steps[0].record.pane must have a "start" and an "end" in whole milliseconds',
      },
    ]);
  });

  it('compares values as a JSON sink writes them: dates, bytes, bigints, fields left out', async () => {
    const value = {
      at: new Date(0),
      bytes: new Uint8Array([1, 2, 250, 255]),
      small: 5n,
      large: 2n ** 60n,
      none: undefined,
    };
    const text = { at: '1970-01-01T00:00:00.000Z', bytes: 'AQL6/w==', small: 5, large: 2n ** 60n };
    const steps = [{ record: { stream: 'in', value, timestamp: 0 } }];
    const recorded: RecordedCase = {
      format: 1,
      steps,
      expect: { out: [{ value: text }] },
      state: { '': text },
    };
    expect(await runCase(remembering, recorded)).toEqual({ passed: true, differences: [] });
  });

  it('a computation without an output "late" tells what it dropped by ctx.dropLate', async () => {
    const dropping = computation<{ in: number }, object>({
      processRecord(record, ctx) {
        if (record.late) ctx.dropLate();
      },
    });
    const recorded: RecordedCase = {
      format: 1,
      steps: [{ watermark: 5 }, { record: { stream: 'in', value: 1, timestamp: 4 } }],
      expect: {},
      late: [{ value: 1, key: '', timestamp: 4 }],
    };
    expect(await runCase(dropping, recorded)).toEqual({ passed: true, differences: [] });
  });

  const naming = computation<{ in: { n: number } }, { out: unknown }, unknown>({
    processRecord(record, ctx) {
      const value = {
        id: `id-${Math.floor(ctx.random() * 1e6)}`,
        half: record.value.n / 3,
        all: [record.value, 'x'],
      };
      ctx.state.set(value);
      ctx.produce('out', value);
    },
  });
  const expecting = (value: unknown, state: unknown = { $any: true }): RecordedCase => ({
    format: 1,
    steps: [{ record: { stream: 'in', key: 'k', value: { n: 1 }, timestamp: 1 } }, { restart: true }],
    expect: { out: [{ value }] },
    state: { k: state },
  });

  it.each([
    { $any: true },
    { id: { $matches: '^id-\\d+$' }, half: { $near: 0.3333, within: 0.001 }, all: { $type: 'array' } },
    { id: { $type: 'string' }, half: { $near: 1 / 3 }, all: [{ n: { $type: 'number' } }, 'x'] },
    { id: { $any: true }, half: { $type: 'number' }, all: [{ $is: { n: 1 } }, { $matches: 'x' }] },
  ])('takes what is another value in every run by a matcher, in outputs and in state: %j', async (value) => {
    expect(await runCase(naming, expecting(value, value))).toEqual({ passed: true, differences: [] });
  });

  it.each([
    { id: { $matches: '^x' }, half: { $any: true }, all: { $any: true } },
    { id: { $any: true }, half: { $near: 0.4, within: 0.01 }, all: { $any: true } },
    { id: { $any: true }, half: { $any: true }, all: { $type: 'object' } },
    { id: { $any: true }, half: { $any: true } },
    { id: { $any: true }, half: { $any: true }, all: { $any: true }, more: { $any: true } },
    { id: { $any: true }, half: { $any: true }, all: [{ $is: { $any: true } }, 'x'] },
  ])('a matcher takes nothing else: %j', async (value) => {
    const { differences } = await runCase(naming, expecting(value, value));
    expect(differences.map(({ kind }) => kind)).toEqual(['unexpected', 'missing', 'state']);
  });

  it('says what is wrong with a matcher', async () => {
    const value = [{ $matches: '(' }, { $type: 'date' }, { $any: 1 }, { $near: 'x' }, { a: { $gt: 1 } }];
    const { differences } = await runCase(naming, expecting(value, { $nothing: 1 }));
    expect(differences.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^expect.out\[0\].value\[0\] has "\$matches", which must be a regular expression/,
      ),
      expect.stringMatching(/^expect.out\[0\].value\[1\] has "\$type", which is one of string,/),
      expect.stringMatching(/value\[2\] has "\$any", which must be true/),
      expect.stringMatching(/value\[3\] has "\$near", which must be a number/),
      expect.stringMatching(/value\[4\].a has "\$gt", which is no matcher; .* \{ "\$is": … \}/),
      expect.stringMatching(/^state.k has "\$nothing"/),
    ]);
    const data = { id: 1, $schema: 'x' };
    const same = await runCase(remembering, {
      ...expecting(data, data),
      steps: [{ record: { stream: 'in', key: 'k', value: data, timestamp: 1 } }],
    });
    expect(same.passed).toBe(true);
  });
});

describe('traceCase', () => {
  it('tells of each step what came out, what was logged and how keys changed, with every digit', async () => {
    const summing = computation<{ in: bigint }, { out: bigint }, bigint>({
      processRecord(record, ctx) {
        const sum = (ctx.state.get() ?? 0n) + record.value;
        ctx.state.set(sum);
        ctx.log.info('sum', sum);
        ctx.setTimer('end', record.timestamp + 10);
        ctx.produce('out', sum);
      },
    });
    const big = 9_007_199_254_740_993n;
    const record = (value: bigint, timestamp: number) => ({
      record: { stream: 'in', key: 'k', value, timestamp },
    });
    const traced = await traceCase(summing, {
      format: 1,
      steps: [record(big, 1), record(1n, 2)],
      expect: {},
    });
    expect(traced).toMatchObject({ passed: true, differences: [] });
    expect(traced.steps[1]).toMatchObject({
      events: [
        { kind: 'log', text: `sum ${big + 1n}` },
        { kind: 'output', stream: 'out', key: 'k', value: `${big + 1n}`, timestamp: 2 },
      ],
      keys: [
        {
          key: 'k',
          before: { state: `${big}`, timers: [{ tag: 'end', time: 11 }] },
          after: { state: `${big + 1n}`, timers: [{ tag: 'end', time: 12 }] },
        },
      ],
    });
  });

  it('a step that fails is the last, and what it printed twice is told once', async () => {
    const printed: string[] = [];
    const failing = computation<{ in: number }, Record<never, never>>({
      processRecord(record) {
        printed.push(`saw ${record.value}`);
        if (record.value === 2) throw new Error('two');
      },
    });
    const steps = [1, 2, 3].map((value) => ({ record: { stream: 'in', value, timestamp: value } }));
    const traced = await traceCase(
      failing,
      { format: 1, steps, expect: {} },
      { printed: () => printed.splice(0).map((text) => ({ kind: 'log', level: 'info', key: '', text })) },
    );
    expect(traced.differences).toMatchObject([{ kind: 'error', step: 1 }]);
    expect(traced.steps.map(({ events }) => events.filter(({ kind }) => kind === 'log'))).toMatchObject([
      [{ text: 'saw 1' }],
      [{ text: 'saw 2' }],
    ]);
  });
});
