import { expect, test } from 'vitest';
import { originOf } from './record-origin.ts';

test('the id of a record that an injector read names source, partition and place', () => {
  expect(originOf('n_in/logs/2026@a.csv@120')).toEqual({
    node: 'n_in',
    in: 'partition',
    name: 'logs/2026@a.csv',
    position: '120',
  });
  expect(originOf('n_in/Ey0DWJDX/3')).toEqual({
    node: 'n_in',
    in: 'request',
    name: 'Ey0DWJDX',
    position: '3',
  });
  expect(originOf('3f9a04c11e')).toBeUndefined();
});
