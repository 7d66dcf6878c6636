import { expect, test } from 'vitest';
import { Accounts } from './accounts.ts';

function setUp() {
  const wrong = { nodes: [] as string[], streams: [] as string[] };
  const named = (names: readonly string[]) => names.map((of) => ({ of, text: `${of} is wrong` }));
  const alarms: string[] = [];
  const accounts = new Accounts({
    counts: { imbalances: () => named(wrong.nodes), streamImbalances: () => named(wrong.streams) },
    inFlightOf: () => 0,
    alarm: (text) => alarms.push(text),
  });
  return { accounts, wrong, alarms };
}

test('P9: an imbalance stands as long as it is there, and is told once', () => {
  const { accounts, wrong, alarms } = setUp();
  accounts.look();
  expect([accounts.standing, alarms]).toEqual([[], []]);
  wrong.nodes = ['n_a'];
  wrong.streams = ['s_0'];
  accounts.look();
  accounts.look();
  expect(accounts.standing).toEqual(['n_a is wrong', 's_0 is wrong']);
  wrong.nodes = [];
  accounts.look();
  expect(accounts.standing).toEqual(['s_0 is wrong']);
  expect(alarms).toEqual(['n_a is wrong', 's_0 is wrong']);
  accounts.close();
});

test('P9: a host that another has taken over from, or may have, says nothing', () => {
  const alarms: string[] = [];
  let isOwner = false;
  const accounts = new Accounts({
    counts: { imbalances: () => [{ of: 'n_a', text: 'n_a is wrong' }], streamImbalances: () => [] },
    inFlightOf: () => 0,
    isOwner: () => isOwner,
    alarm: (text) => alarms.push(text),
  });
  accounts.look();
  expect([accounts.standing, alarms]).toEqual([[], []]);
  isOwner = true;
  accounts.close(true);
  expect(alarms).toEqual([]);
  accounts.look();
  expect(alarms).toEqual(['n_a is wrong']);
});

test('P9: the books are looked at once more when the run is over', () => {
  const { accounts, wrong, alarms } = setUp();
  wrong.nodes = ['n_a'];
  accounts.close();
  expect(alarms).toEqual(['n_a is wrong']);
});
