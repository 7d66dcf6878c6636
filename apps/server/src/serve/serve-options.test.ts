import { describe, expect, test } from 'vitest';
import { DEFAULT_HOST, type ServeOptions, serveOptions } from './serve-options.ts';

const read = (flags: object, env: Record<string, string> = {}) =>
  serveOptions(flags, env, (given) => given ?? '/default');

describe('how a server is started', () => {
  test('has a default for everything', () => {
    expect(read({})).toEqual({
      dataDir: '/default',
      databaseUrl: undefined,
      host: DEFAULT_HOST,
      port: undefined,
      publicUrl: undefined,
      paused: false,
      owner: undefined,
    });
  });

  test('a flag wins over its variable, and an empty variable is none', () => {
    const env = { MILLRACE_PORT: '5000', MILLRACE_DATA: '/env', MILLRACE_PAUSED: '1', MILLRACE_HOST: '' };
    expect(read({ port: '6000' }, env)).toMatchObject({
      port: 6000,
      dataDir: '/env',
      paused: true,
      host: DEFAULT_HOST,
    });
  });

  test.each([
    [{ port: '0' }, {}, 'port 0'],
    [{ port: '12x' }, {}, 'port 12x'],
    [{}, { MILLRACE_PORT: '99999' }, 'port 99999'],
    [{ publicUrl: 'example.org' }, {}, 'public URL'],
    [{ publicUrl: 'https://example.org/millrace' }, {}, 'without a path'],
    [{}, { MILLRACE_OWNER_EMAIL: 'me@example.org' }, 'MILLRACE_OWNER_PASSWORD'],
    [{}, { MILLRACE_OWNER_PASSWORD: 'long enough it is' }, 'MILLRACE_OWNER_EMAIL'],
  ])('says what is wrong with %j %j', (flags, env, message) => {
    expect(read(flags, env as Record<string, string>)).toContain(message);
  });

  test('takes the owner of the environment in lower case', () => {
    const env = { MILLRACE_OWNER_EMAIL: ' Me@Example.org', MILLRACE_OWNER_PASSWORD: 'long enough it is' };
    expect((read({}, env) as ServeOptions).owner?.email).toBe('me@example.org');
  });
});
