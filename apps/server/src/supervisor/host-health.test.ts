import { expect, it } from 'vitest';
import { HostHealth, PING_MS } from './host-health.ts';

/** Looks for so long; after how many ms the host was said to hang. */
function looks(
  share: number,
  forMs: number,
  before?: (health: HostHealth, pass: (ms: number) => void) => void,
) {
  let time = 0;
  const health = new HostHealth(
    () => time,
    () => time * share,
  );
  before?.(health, (ms) => {
    time += ms;
  });
  const began = time;
  while (time - began < forMs) {
    time += PING_MS;
    if (health.hangs()) return time - began;
  }
  return undefined;
}

it('a host that runs and answers nothing for ten seconds hangs', () => {
  expect(looks(1, 60_000)).toBe(12_000);
});

it('one that is given a tenth of the time, or none, has a minute', () => {
  expect(looks(0.1, 60_000)).toBeUndefined();
  expect(looks(0, 90_000)).toBe(62_000);
});

it('a host is not killed over a time in which its server did not run', () => {
  expect(
    looks(1, 8_000, (health, pass) => {
      pass(300_000);
      expect(health.hangs()).toBe(false);
    }),
  ).toBeUndefined();
});
