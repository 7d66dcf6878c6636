import { expect, test } from 'vitest';
import { versionText } from './status.ts';

test('a deploy that has not taken over is told beside the version that runs', () => {
  expect(versionText({ version: 2, running: 2 })).toBe('v2');
  expect(versionText({ version: 2, running: 1 })).toBe('v1 (to be v2)');
  expect(versionText({ version: 1, running: null })).toBe('v1');
});
