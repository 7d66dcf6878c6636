import { describe, expect, it } from 'vitest';
import { decide, retryAfterMs, waitMs } from './delivery-decision.ts';

const now = Date.UTC(2030, 0, 1);
const answer = (status: number, retryAfter?: string) => ({
  status,
  retryAfter,
  location: undefined,
  text: '',
});

describe('what an answer means', () => {
  it('P7: taken, later, or refused', () => {
    const kinds = (statuses: number[]) => [...new Set(statuses.map((s) => decide(answer(s), now).kind))];
    expect(kinds([200, 201, 202, 204, 299])).toEqual(['delivered']);
    expect(kinds([408, 425, 429, 500, 501, 502, 503, 504, 599])).toEqual(['again']);
    expect(kinds([300, 301, 302, 303, 304, 400, 401, 403, 404, 409, 410, 413, 415, 422])).toEqual([
      'refused',
    ]);
  });

  it('a redirect that was not followed says what to do', () => {
    expect(decide(answer(302), now)).toMatchObject({ why: expect.stringContaining('send to that address') });
  });

  it.each([
    ['3', 3000],
    [' 0 ', 0],
    [new Date(now + 5000).toUTCString(), 5000],
    [new Date(now - 5000).toUTCString(), 0],
    ['999999999', 3_600_000],
    ['-1', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('Retry-After %j is a wait of %j ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
    expect(decide(answer(503, header), now)).toMatchObject({ kind: 'again', waitMs: ms });
  });

  it('backs off from a quarter of a second to a minute, never less than half of it', () => {
    expect([0, 1, 2, 3].map((attempt) => waitMs(attempt, () => 1))).toEqual([250, 500, 1000, 2000]);
    expect(waitMs(50, () => 1)).toBe(60_000);
    expect(waitMs(50, () => 0)).toBe(30_000);
  });
});
