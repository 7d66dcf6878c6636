import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type EventOptions, eventLine, nexmarkEvents } from './events.ts';
import { JavaRandom } from './java-random.ts';

function hashOf(options: EventOptions): string {
  const hash = createHash('sha256');
  for (const event of nexmarkEvents(options)) hash.update(`${eventLine(event)}\n`);
  return hash.digest('hex');
}

describe('the events of Nexmark', () => {
  it('are byte for byte those that the known results belong to', () => {
    expect(hashOf({ count: 5_000, rate: 100 })).toBe(
      '34b2c3ade2bd778940c1d8a6a3860c8087f9b3e18975ac79d3d3d14bf46cf004',
    );
    expect(hashOf({ count: 5_000, rate: 10_000 })).toBe(
      '4fa721bbdb2c048efc83d0a15b72586f919d4a5e531341b254f143b38c265957',
    );
  });

  it('are the same when shuffled, each no earlier than it promises', () => {
    const plain = [...nexmarkEvents({ count: 5_000, rate: 100 })];
    const shuffled = [...nexmarkEvents({ count: 5_000, rate: 100, group: 500 })];
    const bare = (events: typeof plain) => events.map(({ n, wm, ...rest }) => JSON.stringify(rest)).sort();
    expect(bare(shuffled)).toEqual(bare(plain));
    expect(shuffled.map(({ ts }) => ts)).not.toEqual(plain.map(({ ts }) => ts));
    for (const { ts, wm } of shuffled) expect(ts).toBeGreaterThanOrEqual(wm);
  });

  it('draw as java.util.Random does', () => {
    const random = new JavaRandom(42);
    expect([random.nextInt(), random.nextInt()]).toEqual([-1_170_105_035, 234_785_527]);
    expect(new JavaRandom(42).nextBelow(10)).toBe(0);
    expect(new JavaRandom(42).nextDouble()).toBe(0.7275636800328681);
  });
});
