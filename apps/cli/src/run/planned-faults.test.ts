import { expect, it } from 'vitest';
import { plannedFaults } from './planned-faults.ts';

it('plans no fault and leaves every guard on unless it is told to', () => {
  expect(plannedFaults(undefined)).toBeUndefined();
  expect(plannedFaults('')).toBeUndefined();
  expect(plannedFaults('{"kills":[]}')?.store).toMatchObject({ unlockedSequencerCheck: false });
});

it('refuses a point, a victim or a control that does not exist, instead of a sweep that tests nothing', () => {
  const kill = (at: string, victim: string) => JSON.stringify({ kills: [{ at, pass: 1, victim }] });
  expect(() => plannedFaults(kill('after-lunch', 'host'))).toThrow('host at after-lunch');
  expect(() => plannedFaults(kill('before-commit', 'cat'))).toThrow('cat at before-commit');
  expect(() => plannedFaults('{"kills":[],"controls":["no-gravity"]}')).toThrow('no-gravity');
});
