/**
 * The input of one run, from a seed: two files of events, out of order within the slack, with broken lines,
 * lines without a time, events without a usable key, and events that make a handler throw or wait.
 */
import { SeededRandom } from '../seeded-random.ts';

export const BUCKET_MS = 60_000;
export const GROUPS = 7;
const START = 1_700_000_040_000;
const STEP_MS = 1_000;
/** Less than half the slack of the injectors (30 s), so that no event is late. */
const JITTER_MS = 14_000;

export interface SweepEvent {
  readonly id: number;
  readonly user: string | null;
  readonly at: number;
  readonly x: number;
  /** What the handlers do with it. */
  readonly does: 'count' | 'throw' | 'flake' | 'reject' | 'dawdle';
}

export interface SweepLine {
  readonly text: string;
  /** Undefined: a dead letter of the injector. */
  readonly event: SweepEvent | undefined;
}

export interface SweepInput {
  readonly files: Readonly<Record<'events' | 'more', readonly SweepLine[]>>;
}

export function makeInput(seed: number): SweepInput {
  const random = new SeededRandom(seed);
  let nextId = 1;
  const file = (prefix: string, count: number): SweepLine[] => {
    const users = random.between(3, 25);
    return Array.from({ length: count }, (_, i) => {
      if (random.chance(0.01)) return brokenLine(random);
      const event: SweepEvent = {
        id: nextId++,
        user: random.chance(0.01) ? null : `${prefix}${random.between(1, users)}`,
        at: START + i * STEP_MS + random.between(-JITTER_MS, JITTER_MS),
        x: random.between(1, 1_000),
        does: behaviour(random),
      };
      return { text: JSON.stringify(event), event };
    });
  };
  return {
    files: {
      events: file('u', random.between(100, 400)),
      more: file('v', random.between(30, 200)),
    },
  };
}

function behaviour(random: SeededRandom): SweepEvent['does'] {
  const roll = random.next();
  if (roll < 0.01) return 'throw';
  if (roll < 0.04) return 'flake';
  if (roll < 0.05) return 'reject';
  return roll < 0.06 ? 'dawdle' : 'count';
}

function brokenLine(random: SeededRandom): SweepLine {
  const text = random.pick([
    '{"id":1,"user":"u1",',
    'not JSON',
    '{"id":2,"user":"u1","x":3}',
    '{"at":"soon"}',
  ]);
  return { text, event: undefined };
}

export function fileText(lines: readonly SweepLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}
