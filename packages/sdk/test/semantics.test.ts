/**
 * What other systems' own tests say of state, timers and watermarks, said of ours (yardstick cases C1–C60).
 * Watermarks of cases from Flink are one higher here. `NOT_HERE` lists the cases that are not, and why.
 */

import { describe, expect, it } from 'vitest';
import {
  aggregate,
  type Computation,
  type Context,
  computation,
  count,
  filter,
  input,
  sessions,
  sum,
  type Timer,
  tumbling,
} from '../src/index.ts';
import { type Harness, harness } from '../src/testing/index.ts';
import { readYardstick } from './yardsticks.ts';

const NOT_HERE: Readonly<Record<string, string>> = {
  C2: 'there is no group-by-key step: every computation is keyed; the rest is C1',
  C11: 'timers belong to a key, not to a window (T1)',
  C13: 'wall timers are absolute here (T1)',
  C14: 'user timers are not set per window',
  C15: 'no alignment: the handler computes the time',
  C25: 'every record has a key (G2); the allowed types of keyBy are the compiler’s',
  C26: 'no input is sorted by time for a handler',
  C34: 'in windows/triggered-panes.test.ts',
  C37: 'two stages are the engine’s',
  C40: 'in windows/triggered-panes.test.ts',
  C47: 'parked input is the engine’s',
  C48: 'there is no synchronised processing time (W11 is a display)',
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      `C${49 + i}`,
      'watermarks of several inputs are the engine’s (W1, W4, W6)',
    ]),
  ),
};

interface Out {
  out: unknown;
}
type Ctx<S = unknown> = Context<Out, S>;

function node<S = unknown>(
  processRecord: (record: { value: number; timestamp: number; key: string }, ctx: Ctx<S>) => void,
  processTimer?: (timer: Timer, ctx: Ctx<S>) => void,
): Computation<{ in: number }, Out> {
  return computation<{ in: number }, Out, S>(
    processTimer === undefined ? { processRecord } : { processRecord, processTimer },
  );
}

/** Emits 3 on a record and 42 on a timer. */
function three(onRecord: (ctx: Ctx) => void, clock: 'watermark' | 'wall' = 'watermark') {
  return node(
    (_record, ctx) => {
      ctx.produce('out', 3);
      onRecord(ctx);
    },
    (timer, ctx) => {
      expect(timer.clock).toBe(clock);
      ctx.produce('out', 42);
    },
  );
}

function values(subject: Pick<Harness<object, Out>, 'outputs'>): unknown[] {
  return subject.outputs('out').map((each) => each.value);
}

describe('timers', () => {
  it('C1, T2: an event timer fires once at the end of the input', () => {
    const subject = harness(three((ctx) => ctx.setTimer('t', 1_000)));
    expect(values(subject.record('in', 'k', 0, 0).end())).toEqual([3, 42]);
  });

  it('C3, T2: a processing timer fires when the clock has passed it', () => {
    const subject = harness(three((ctx) => ctx.setTimer('t', ctx.now + 1_000, { clock: 'wall' }), 'wall'));
    expect(values(subject.watermark(0).record('in', 'k', 0, 0).wall(999))).toEqual([3]);
    expect(values(subject.wall(120_000).wall(0).wall(120_000))).toEqual([3, 42]);
  });

  it('C4, T1: setting the same tag again replaces the timer, on either clock', () => {
    for (const clock of ['watermark', 'wall'] as const) {
      const subject = harness(three((ctx) => ctx.setTimer('t', 1_000, { clock }), clock));
      subject.watermark(0).record('in', 'k', 0, 0).record('in', 'k', 0, 0).wall(2_000).watermark(2_000);
      expect(values(subject)).toEqual([3, 3, 42]);
    }
  });

  it('C5, C6, T1: set and cleared in one call, and cleared though never set', () => {
    const cleared = three((ctx) => {
      ctx.setTimer('t', 1_000);
      ctx.clearTimer('t');
      ctx.clearTimer('never');
    });
    expect(values(harness(cleared).record('in', 'k', 0, 0).end())).toEqual([3]);
  });

  it('C7, T2: a timer clears another that is due in the same watermark step', () => {
    const subject = harness(
      node(
        (_record, ctx) => {
          ctx.produce('out', 3);
          ctx.setTimer('A', 1_000);
          ctx.setTimer('B', 2_000);
        },
        (timer, ctx) => {
          ctx.produce('out', timer.tag === 'A' ? 42 : 'B fired');
          ctx.clearTimer('B');
        },
      ),
    );
    expect(values(subject.record('in', 'k', 0, 0).watermark(10_000))).toEqual([3, 42]);
  });

  it('C8, T1: cleared, then set again by a later record', () => {
    const subject = harness(
      node(
        (record, ctx) => {
          ctx.produce('out', 3);
          ctx.setTimer('t', 1_000);
          if (record.value === 0) ctx.clearTimer('t');
        },
        (_timer, ctx) => ctx.produce('out', 42),
      ),
    );
    expect(values(subject.record('in', 'k', 0, 0).record('in', 'k', 1, 0).end())).toEqual([3, 3, 42]);
  });

  it('C9, T2: a timer that arms itself again, with its counter in state', () => {
    const subject = harness(
      node<number>(
        (record, ctx) => ctx.setTimer('loop', record.timestamp + 1),
        (timer, ctx) => {
          const n = ctx.state.get() ?? 0;
          ctx.produce('out', n);
          if (n === 4) return ctx.state.clear();
          ctx.state.set(n + 1);
          ctx.setTimer('loop', timer.time + 1);
        },
      ),
    );
    expect(values(subject.record('in', 'k', 0, 0).watermark(1_000))).toEqual([0, 1, 2, 3, 4]);
    expect(subject.keys()).toEqual([]);
  });

  it('C10, C30, T1: a timer a key, which sees its key', () => {
    const subject = harness(
      node(
        (record, ctx) => {
          ctx.produce('out', record.value + 5_000);
          ctx.setTimer('end', 100);
        },
        (timer, ctx) => {
          expect(timer.key).toBe(ctx.key);
          ctx.produce('out', 4_093);
        },
      ),
      { isolated: false },
    );
    for (let i = 0; i < 750; i += 1) subject.record('in', `k${i % 50}`, i, i % 100);
    subject.watermark(100);
    const fired = subject.outputs('out').filter((each) => each.value === 4_093);
    expect(new Set(fired.map((each) => each.key)).size).toBe(50);
    expect(values(subject)).toHaveLength(800);
  });

  it('C12, W2: a hold later than its timer is an error that names the timer', () => {
    const subject = harness(three((ctx) => ctx.setTimer('t', 10, { hold: 11 })));
    expect(() => subject.record('in', 'k', 0, 0)).toThrow(/timer "t" is due at 10 but would hold at 11/);
  });

  it('C17, W2: what a timer emits has the time of its hold', () => {
    const subject = harness(three((ctx) => ctx.setTimer('t', 10, { hold: 8 })));
    subject.record('in', 'k', 0, 3).watermark(10);
    expect(subject.outputs('out').map((each) => each.timestamp)).toEqual([3, 8]);
  });

  it('C18, C27, T2: a hundred timers in time order, the clean-up last, which still reads the state', () => {
    const subject = harness(
      node<string>(
        (record, ctx) => {
          ctx.setTimer(`append ${record.value}`, record.timestamp + 1);
          ctx.setTimer('clean up', 100_000);
        },
        (timer, ctx) => {
          const so = ctx.state.get();
          if (timer.tag === 'clean up') {
            ctx.produce('out', `${so}:cleanup`);
            return ctx.state.clear();
          }
          const next = timer.tag.slice(7);
          ctx.state.set(so === undefined ? next : `${so}:${next}`);
          ctx.produce('out', ctx.state.get());
        },
      ),
    );
    for (let i = 99; i >= 0; i -= 1) subject.record('in', 'k', i, i * 1_000);
    const all = values(subject.watermark(200_000));
    expect(all.slice(0, 3)).toEqual(['0', '0:1', '0:1:2']);
    expect(all).toHaveLength(101);
    expect(all.at(-1)).toBe(`${all.at(-2)}:cleanup`);
    expect(subject.keys()).toEqual([]);
  });

  it('C19, T2: two timers that set each other alternate in time order, in one jump of the watermark', () => {
    const subject = harness(
      node<number>(
        (_record, ctx) => ctx.setTimer('t1', 1),
        (timer, ctx) => {
          const i = ctx.state.get() ?? 0;
          ctx.produce('out', `${timer.tag}:${i}:${(timer.time - (timer.tag === 't1' ? 1 : 2)) / 2}`);
          if (timer.tag === 't1') ctx.setTimer('t2', timer.time + 1);
          else if (i < 100) {
            ctx.state.set(i + 1);
            ctx.setTimer('t1', timer.time + 1);
          }
        },
      ),
    );
    const due = Array.from({ length: 101 }, (_, i) => [`t1:${i}:${i}`, `t2:${i}:${i}`]).flat();
    expect(values(subject.record('in', 'k', 0, 0).end())).toEqual(due);
  });

  it('C20, T1: tags may be made at run time', () => {
    const subject = harness(
      node(
        (record, ctx) => ctx.setTimer(`timer${record.value}`, record.value),
        (timer, ctx) => ctx.produce('out', `${timer.tag}@${timer.time}`),
      ),
    );
    subject.record('in', 'k', 2, 0).record('in', 'k', 1, 0).end();
    expect(values(subject)).toEqual(['timer1@1', 'timer2@2']);
  });

  it('C58, T1: state and timers of a key, cleared by its next record, on either clock', () => {
    for (const clock of ['watermark', 'wall'] as const) {
      const subject = harness(
        node<number>(
          (record, ctx) => {
            const now = clock === 'wall' ? ctx.now : (ctx.watermark ?? 0);
            if (ctx.state.get() === undefined) {
              ctx.produce('out', `INPUT:${record.value}`);
              ctx.state.set(record.value);
              ctx.setTimer('t', now + 5, { clock, hold: now + 5 });
            } else {
              ctx.state.clear();
              ctx.clearTimer('t', clock);
            }
          },
          (_timer, ctx) => ctx.produce('out', `STATE:${ctx.state.get()}`),
        ),
      );
      const step = (time: number) => (clock === 'wall' ? subject.wall(time) : subject.watermark(time));
      subject.watermark(0);
      step(1).record('in', '17', 17, 10).record('in', '13', 13, 10);
      step(2).record('in', '42', 42, 11).record('in', '13', 13, 11);
      expect(values(step(5))).toEqual(['INPUT:17', 'INPUT:13', 'INPUT:42']);
      expect(values(step(6)).at(-1)).toBe('STATE:17');
      expect(values(step(7)).slice(4)).toEqual(['STATE:42']);
    }
  });

  it('C59, T4: armed and cleared timers survive a restart, each fires once, in front of the watermark', () => {
    const subject = harness(
      node<number>(
        (_record, ctx) => {
          ctx.state.set(1777);
          ctx.setTimer('p3', 3, { clock: 'wall', hold: 3 });
          ctx.setTimer('p5', 5, { clock: 'wall', hold: 5 });
          ctx.setTimer('e4', 4);
          ctx.setTimer('e6', 6);
          ctx.clearTimer('p3', 'wall');
          ctx.clearTimer('e4');
        },
        (timer, ctx) => ctx.produce('out', `${timer.clock}:${ctx.state.get()}`),
      ),
    );
    subject.record('in', 'k', 0, 0).restart().wall(5).watermark(6).restart().wall(5);
    subject.expect('out', [
      { value: 'wall:1777', timestamp: 5 },
      { value: 'watermark:1777', timestamp: 6 },
    ]);
    expect(subject.trace().at(-2)).toMatchObject({ kind: 'output' });
    expect(subject.trace().at(-1)).toEqual({ kind: 'watermark', time: 6 });
  });

  it('C60, W2: a timer’s output goes in front of the watermark that fired it; handlers see watermark and time', () => {
    const subject = harness(
      node(
        (record, ctx) => {
          ctx.produce('out', `${record.value} sees ${ctx.watermark} at ${record.timestamp}`);
          if (record.value === 42) ctx.setTimer('t', 5);
        },
        (_timer, ctx) => ctx.produce('out', 1777),
      ),
    );
    subject.watermark(0).record('in', 'k', 42, 3).watermark(5).watermark(17).record('in', 'k', 1, 12);
    const seen = subject
      .trace()
      .map((event) =>
        event.kind === 'output' ? event.record.value : event.kind === 'watermark' ? event.time : event.kind,
      );
    expect(seen).toEqual([0, '42 sees 0 at 3', 1777, 5, 17, '1 sees 17 at 12']);
  });

  it('T3: a timer set for a time already passed fires right after the call, once', () => {
    const subject = harness(three((ctx) => ctx.setTimer('t', 5)));
    subject.watermark(10).record('in', 'k', 0, 10);
    expect(values(subject)).toEqual([3, 42]);
    expect(values(subject.watermark(20))).toEqual([3, 42]);
  });
});

describe('state', () => {
  it('C21, P2: a value a key', () => {
    const subject = harness(
      node<number>((_record, ctx) => {
        const n = ctx.state.get() ?? 0;
        ctx.produce('out', n);
        ctx.state.set(n + 1);
      }),
    );
    for (let i = 0; i < 3; i += 1) subject.record('in', 'k', 0, 0);
    expect(values(subject.record('in', 'other', 0, 0))).toEqual([0, 1, 2, 0]);
  });

  it('C22, P2: the first of each key', () => {
    const subject = harness(
      node<boolean>((_record, ctx) => {
        if (ctx.state.get()) return;
        ctx.state.set(true);
        ctx.produce('out', ctx.key);
      }),
      { isolated: false },
    );
    for (let i = 0; i < 750; i += 1) subject.record('in', `k${i % 50}`, i, 0);
    expect(new Set(values(subject)).size).toBe(50);
    expect(values(subject)).toHaveLength(50);
  });

  it('C23, P2: a map entry a window keeps windows apart', () => {
    const subject = harness(
      node((record, ctx) => {
        const windows = ctx.map<number>('windows');
        const start = Math.floor(record.timestamp / 10) * 10;
        const n = windows.get(start) ?? 0;
        ctx.produce('out', n);
        windows.set(start, n + 1);
      }),
    );
    for (const time of [1, 2, 3, 11, 13]) subject.record('in', 'k', 0, time);
    expect(values(subject)).toEqual([0, 1, 2, 0, 1]);
    expect(subject.map('k', 'windows')).toEqual([
      [0, 3],
      [10, 2],
    ]);
  });

  it('C24, P2: two nodes with one key and the same names share nothing', () => {
    const adding = (first: number) =>
      node<number>((record, ctx) => {
        const total = (ctx.state.get() ?? first) + record.value;
        ctx.state.set(total);
        ctx.produce('out', total);
      });
    const upstream = harness(adding(0));
    const downstream = harness(adding(100));
    for (let i = 0; i < 3; i += 1) upstream.record('in', 'k', 13, i);
    for (const each of upstream.outputs('out'))
      downstream.record('in', 'k', each.value as number, each.timestamp);
    expect(values(upstream)).toEqual([13, 26, 39]);
    expect(values(downstream)).toEqual([113, 139, 178]);
  });

  it('C28, P2: a call reads what it wrote: value, map entry, order, ranges, size', () => {
    const subject = harness(
      node<number[]>((_record, ctx) => {
        const map = ctx.map<string>('m');
        expect(ctx.state.get()).toBeUndefined();
        ctx.state.set([1]);
        expect(ctx.state.get()).toEqual([1]);
        for (const key of [5, -1, 'b', 3, 'a']) map.set(key, `v${key}`);
        expect([...map.entries()].map(([key]) => key)).toEqual([-1, 3, 5, 'a', 'b']);
        expect([...map.entries({ from: 3, to: 'a', reverse: true })]).toEqual([
          [5, 'v5'],
          [3, 'v3'],
        ]);
        map.deleteRange(-1, 5);
        expect([map.has(3), map.get(3), map.has(5), map.size]).toEqual([false, undefined, true, 3]);
        map.delete('a');
        map.delete('never');
        expect(map.size).toBe(2);
        ctx.state.clear();
        expect(ctx.state.get()).toBeUndefined();
      }),
    );
    subject.record('in', 'k', 0, 0);
    expect(subject.map('k', 'm').map(([key]) => key)).toEqual([5, 'b']);
  });

  it('C29, W2: a production earlier than its cause is an error, not a silent late record', () => {
    const at = (shift: number) =>
      harness(node((record, ctx) => ctx.produce('out', 1, { timestamp: record.timestamp - shift })));
    expect(() => at(1).record('in', 'k', 0, 1_000)).toThrow(/at 999 is earlier than 1000/);
    expect(values(at(0).record('in', 'k', 0, 1_000))).toEqual([1]);
    expect(values(at(0).watermark(5_000).record('in', 'k', 0, 1_000))).toEqual([1]);
  });
});

describe('windows', () => {
  const fives = (accumulation: 'accumulating' | 'discarding' = 'accumulating') =>
    harness(
      aggregate(input<number>(), {
        window: tumbling('5m'),
        aggregates: { n: count(), sum: sum((v) => v) },
        allowedLateness: '5m',
        accumulation,
      }),
    );
  const minute = 60_000;

  it('C31, N4: late data within the lateness accumulate, after it they are dropped', () => {
    const subject = fives();
    for (const v of [1, 2, 3]) subject.record('in', 'k', v, 0);
    subject
      .watermark(6 * minute)
      .expect('out', [{ value: { n: 3, sum: 6 }, pane: { timing: 'on-time', index: 0 } }]);
    subject.record('in', 'k', 4, 0).record('in', 'k', 5, 0);
    subject.watermark(20 * minute);
    for (const v of [-1, -2, -3]) subject.record('in', 'k', v, 0);
    subject.expect('out', [
      { value: { n: 4, sum: 10 }, pane: { timing: 'late', index: 1 } },
      { value: { n: 5, sum: 15 }, pane: { timing: 'late', index: 2 } },
    ]);
    subject.expect('late', [{ value: -1 }, { value: -2 }, { value: -3 }]);
  });

  it('C32, N3: discarding panes repeat nothing', () => {
    const subject = fives('discarding')
      .record('in', 'k', 1, 0)
      .watermark(5 * minute);
    subject.record('in', 'k', 2, 1).record('in', 'k', 4, 2).end();
    expect(subject.outputs('out').map((each) => each.value.sum)).toEqual([1, 2, 4]);
  });

  it('C33, N4: a first record that is late leaves its window empty and others as they are', () => {
    const subject = fives().watermark(0).record('in', 'k', 9, -1_000_000).record('in', 'k', 1, 1).end();
    subject.expect('out', [{ value: { n: 1, sum: 1 }, pane: { start: 0 } }]).expect('late', [{ value: 9 }]);
  });

  it('C35, N1: records at the very end of time are grouped', () => {
    const time = 8_640_000_000_000_000 - 1;
    const subject = fives().record('in', 'k', 1, time).record('in', 'k', 2, time).end();
    subject.expect('out', [
      { value: { n: 2, sum: 3 }, pane: { start: time + 1 - 5 * minute, end: time + 1 } },
    ]);
  });

  it('C38, N5: past the end and the lateness in one step there is exactly one on-time pane, and nothing left', () => {
    for (const window of [tumbling('5m'), sessions('5m')]) {
      const subject = harness(
        aggregate(input<number>(), { window, aggregates: { n: count() }, allowedLateness: '5m' }),
      );
      subject.record('in', 'k', 1, 0).watermark(60 * minute);
      subject.expect('out', [{ value: { n: 1 }, pane: { timing: 'on-time', index: 0, last: true } }]);
      expect(subject.keys()).toEqual([]);
    }
  });

  it('C39, N5: a late record gives a second pane, marked late, with index 1', () => {
    fives()
      .record('in', 'k', 1, 0)
      .watermark(5 * minute)
      .record('in', 'k', 3, 1)
      .expect('out', [
        { value: { n: 1, sum: 1 }, pane: { timing: 'on-time', index: 0, last: false } },
        { value: { n: 2, sum: 4 }, pane: { timing: 'late', index: 1, last: false } },
      ]);
  });

  it('C41, N4: a year of lateness near the end of time is clamped', () => {
    const subject = harness(
      aggregate(input<number>(), {
        window: sessions('1d'),
        aggregates: { n: count() },
        allowedLateness: '365d',
      }),
    );
    subject.record('in', 'k', 1, 8_640_000_000_000_000).watermark(8_640_000_086_400_000);
    subject.expect('out', [{ value: { n: 1 } }]);
    expect(subject.timers('k')).toHaveLength(1);
    expect(subject.end().keys()).toEqual([]);
  });

  it('C42, W2: a session holds the output watermark in front of its pane, and moves it on', () => {
    const subject = harness(aggregate(input<number>(), { window: sessions(10), aggregates: { n: count() } }));
    subject.watermark(24).record('in', 'k', 1, 24).record('in', 'k', 1, 33).watermark(34);
    expect(subject.timers('k').map((timer) => timer.hold)).toEqual([42]);
    expect(subject.outputWatermark).toBe(34);
    expect(subject.watermark(43).timers('k')).toEqual([]);
  });

  it('C43, N5: a firing with nothing new emits nothing', () => {
    const subject = fives()
      .record('in', 'k', 1, 0)
      .watermark(5 * minute);
    expect(
      subject
        .watermark(10 * minute)
        .end()
        .outputs('out'),
    ).toHaveLength(1);
  });
});

describe('watermarks', () => {
  const holding = node<number>((record, ctx) => {
    if (record.value === 0) ctx.state.clear();
    else ctx.state.set(1, { holdUntil: record.value });
  });

  it('C44, W1: the output watermark is min(input watermark, earliest hold of any key)', () => {
    const subject = harness(holding)
      .watermark(-2_000)
      .record('in', 'a', -1_000, 0)
      .record('in', 'b', 1_234, 0);
    expect(subject.watermark(9_000).outputWatermark).toBe(-1_000);
    expect(subject.record('in', 'a', 0, 9_000).outputWatermark).toBe(1_234);
    expect(subject.record('in', 'b', 5_678, 9_000).outputWatermark).toBe(5_678);
    expect(subject.record('in', 'b', 0, 9_000).outputWatermark).toBe(9_000);
  });

  it('C45, W3: a new, earlier hold never moves a published watermark back', () => {
    const subject = harness(holding).watermark(0);
    subject.record('in', 'a', -250, 0);
    expect(subject.outputWatermark).toBe(0);
    expect(subject.watermark(100).outputWatermark).toBe(0);
  });

  it('C46, W1: a filter that emits nothing passes the watermark on', () => {
    const subject = harness(filter(input<number>(), () => false));
    expect(subject.outputWatermark).toBeUndefined();
    expect(subject.record('in', 'k', 1, 5).watermark(7).outputWatermark).toBe(7);
  });

  it('C16, W2: a hold upstream keeps a timer downstream from firing until its result is there', () => {
    const upstream = harness(
      node(
        (record, ctx) => {
          ctx.produce('out', record.value);
          ctx.setTimer('t', record.timestamp + 10, { hold: record.timestamp + 5 });
        },
        (_timer, ctx) => ctx.produce('out', 99),
      ),
    );
    const downstream = harness(
      node<number>(
        (record, ctx) => {
          ctx.state.set((ctx.state.get() ?? 0) + record.value);
          ctx.setTimer('total', 8);
        },
        (_timer, ctx) => ctx.produce('out', ctx.state.get()),
      ),
    );
    let passed = 0;
    const pass = () => {
      for (const event of upstream.trace().slice(passed)) {
        if (event.kind === 'output')
          downstream.record('in', 'k', event.record.value as number, event.record.timestamp);
        if (event.kind === 'watermark') downstream.watermark(event.time);
      }
      passed = upstream.trace().length;
    };
    upstream.record('in', 'k', 1, 0).watermark(9);
    pass();
    expect(upstream.outputWatermark).toBe(5);
    expect(values(downstream)).toEqual([]);
    upstream.watermark(10);
    pass();
    expect(values(downstream)).toEqual([100]);
  });

  it('C36, W3: a watermark that goes back and a record after the end are refused', () => {
    expect(() => harness(holding).watermark(1).watermark(0)).toThrow(/cannot be moved back/);
    expect(() => harness(holding).end().record('in', 'k', 1, 1)).toThrow(/has ended/);
  });
});

const listed = readYardstick('semantics-cases.md');

describe.skipIf(listed === undefined)('semantics-cases.md', () => {
  it('every case is tested above or has a reason why not', async () => {
    const { readFileSync } = await import('node:fs');
    const tested =
      readFileSync(new URL(import.meta.url), 'utf8')
        .match(/it\('[^']*'/g)
        ?.join(' ') ?? '';
    const cases = [...(listed ?? '').matchAll(/^- \*\*(C\d+)\*\*/gm)].map((found) => found[1]!);
    expect(cases.length).toBeGreaterThan(50);
    const open = cases.filter((id) => !new RegExp(`\\b${id}\\b`).test(tested) && NOT_HERE[id] === undefined);
    expect(open).toEqual([]);
  });
});
