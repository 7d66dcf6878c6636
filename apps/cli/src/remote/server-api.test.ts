import { expect, test } from 'vitest';
import { ServerRefusal } from './server-api.ts';

const refusal = (code: string) =>
  new ServerRefusal(409, { type: 'about:blank', title: 'Conflict', status: 409, code, detail: 'No.' })
    .message;

test('a sample that is pushed says how the folder becomes a pipeline of its own', () => {
  expect(refusal('read-only')).toMatch(/^The server refused: No\. To push .*take the "id" out/);
  expect(refusal('other')).toBe('The server refused: No.');
});
