import { describe, expect, it } from 'vitest';
import { HOST_REQUESTS } from './host-requests.ts';
import { toHost, toServer } from './messages.ts';

describe('the control channel', () => {
  it('CP3: tells how to reach the database, by socket or by address', () => {
    for (const database of [{ socketFolder: '/tmp/x', port: 5432 }, { url: 'postgres://h/d' }]) {
      const begin = { type: 'begin', settings: { database, dataDir: '/d', holdPaused: false } };
      expect(toHost.parse(begin)).toEqual(begin);
    }
  });

  it('refuses what no end ever says', () => {
    expect(toHost.safeParse({ type: 'request', id: 1, kind: 'format-disk', body: {} }).success).toBe(false);
    expect(toServer.safeParse({ type: 'observed', observation: { pipeline: 'p' } }).success).toBe(false);
    expect(toServer.safeParse({ type: 'hello' }).success).toBe(false);
  });

  it('CP2: every kind of question says what it asks and what it is answered', () => {
    for (const { request, answer } of Object.values(HOST_REQUESTS)) {
      expect(request.safeParse(undefined).success).toBe(false);
      expect(answer.safeParse(undefined).success).toBe(false);
    }
  });
});
