import type { LeaseLook, ServerSeat } from '@millrace/store';
import { expect, test, vi } from 'vitest';
import { silent } from '../testing/test-app.ts';
import { type Led, serverTurn, type TurnOptions } from './server-turn.ts';

const FREE: LeaseLook = { sequencer: 6, beat: 0, leader: undefined };
const HELD: LeaseLook = { ...FREE, leader: { address: 'http://other', isHere: true, isThis: false } };

function rig(more: Partial<ServerSeat> = {}, lead?: TurnOptions['lead']) {
  const said: string[] = [];
  const say = <T>(what: string, answer: T) => {
    said.push(what);
    return Promise.resolve(answer);
  };
  const seat: ServerSeat = {
    look: async () => FREE,
    claim: ({ sequencer }) => say('claim', sequencer + 1),
    endOlderTerms: (term) => say(`end before ${term}`, undefined),
    beat: () => say('beat', true),
    giveBack: (term) => say(`give back ${term}`, undefined),
    close: () => say('close', undefined),
    ...more,
  };
  const led: Led = { end: (why) => say(`end: ${why}`, undefined) };
  const turn = serverTurn({
    seat,
    lead: lead ?? ((term) => say(`lead ${term}`, led)),
    standBy: (leader) => said.push(`stand by for ${leader}`),
    log: silent,
  });
  return { turn, said, led };
}

test('TN1: nothing of an older term is left before it leads; a stop ends it in order and gives the lease back', async () => {
  const { turn, said } = rig();
  expect(await turn.begun).toBe('leads');
  await turn.stop();
  expect(said.filter((what) => what !== 'beat')).toEqual([
    ...['claim', 'end before 7', 'lead 7', 'end: stop', 'give back 7', 'close'],
  ]);
});

test('TN1: who loses the lease ends what leads, gives nothing back, and stands by', async () => {
  const looks = [FREE];
  let lost = () => {};
  const { turn, said } = rig({ look: async () => looks.shift() ?? HELD }, async (_term, over) => {
    lost = over;
    return { end: async (why) => void said.push(`end: ${why}`) };
  });
  expect(await turn.begun).toBe('leads');
  lost();
  await vi.waitFor(() => expect(said.at(-1)).toBe('stand by for http://other'));
  expect(said).not.toContain('give back 7');
  expect(said.indexOf('end: lost')).toBeLessThan(said.indexOf('stand by for http://other'));
  await turn.stop();
});

test('TN2: it beats while what leads is still being put together, and ends that if the lease is lost by then', async () => {
  const beats = [true, false];
  let made = (_led: Led) => {};
  const looks = [FREE];
  const { turn, said, led } = rig(
    { beat: async () => beats.shift() ?? false, look: async () => looks.shift() ?? HELD },
    () =>
      new Promise((resolve) => {
        made = resolve;
      }),
  );
  await vi.waitFor(() => expect(beats).toEqual([]), { timeout: 20_000 });
  made(led);
  await vi.waitFor(() => expect(said).toContain('end: lost'));
  await turn.stop();
});

test('who should lead and cannot gives the lease back, and says why', async () => {
  const { turn, said } = rig({}, () => Promise.reject(new Error('the data folder is full')));
  await expect(turn.begun).rejects.toThrow('the data folder is full');
  expect(said).toContain('give back 7');
  await turn.stop();
});

test('a database that is away proves nothing about who leads', async () => {
  const away = () => Promise.reject(new Error('away'));
  const looks = [away, away, async () => HELD];
  const { turn, said } = rig({ look: () => (looks.shift() ?? (async () => HELD))() });
  expect(await turn.begun).toBe('stands-by');
  expect(said).not.toContain('claim');
  await turn.stop();
});
