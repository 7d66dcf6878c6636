import { expect, it } from 'vitest';
import { startGate } from './start-gate.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets them ask in this order and returns who is in, and how to leave. */
function setUp(most: number, crashes: Readonly<Record<string, number>>) {
  const gate = startGate(most);
  const inside = new Map<string, () => void>();
  for (const [name, count] of Object.entries(crashes))
    void gate.enter(count).then((leave) => inside.set(name, leave));
  const leave = async (name: string) => {
    inside.get(name)?.();
    inside.delete(name);
    await turn();
  };
  return { inside: () => [...inside.keys()], leave };
}

it('bounds the starts that go on at once', async () => {
  const { inside, leave } = setUp(2, { a: 0, b: 0, c: 0 });
  await turn();
  expect(inside()).toEqual(['a', 'b']);
  await leave('a');
  expect(inside()).toEqual(['b', 'c']);
});

it('lets suspects start alone, the least suspect first, so that a crash points at one of them', async () => {
  const { inside, leave } = setUp(4, { worst: 2, bad: 1, fine: 0, other: 1 });
  await turn();
  expect(inside()).toEqual(['fine']);
  for (const [gone, next] of [
    ['fine', 'bad'],
    ['bad', 'other'],
    ['other', 'worst'],
  ] as const) {
    await leave(gone);
    expect(inside()).toEqual([next]);
  }
});

it('counts a start that is over twice only once', async () => {
  const gate = startGate(1);
  const leave = await gate.enter(0);
  leave();
  leave();
  const order: number[] = [];
  for (const n of [1, 2]) void gate.enter(0).then(() => order.push(n));
  await turn();
  expect(order).toEqual([1]);
});
