import { isSecretName } from '@millrace/graph';
import { expect, it } from 'vitest';
import { NEW_SECRET, secretOptions } from './secret-options.ts';

it('a secret that is named but not there stays, marked, and can be made by who may', () => {
  expect(secretOptions(['crm', 'mail'], 'gone', true).map(({ value, about }) => [value, about])).toEqual([
    ['gone', 'not in this workspace'],
    ['crm', undefined],
    ['mail', undefined],
    [NEW_SECRET, undefined],
  ]);
  expect(secretOptions([], '', false)).toEqual([]);
  expect(isSecretName(NEW_SECRET)).toBe(false);
});
