import os from 'node:os';
import { describe, expect, test } from 'vitest';
import { site } from './site.ts';

const local = site({ host: '127.0.0.1', publicUrl: undefined });
const everywhere = site({ host: '0.0.0.0', publicUrl: undefined });
const proxied = site({ host: '127.0.0.1', publicUrl: new URL('https://mill.example.org') });

describe('hosts', () => {
  test.each(['127.0.0.1', 'localhost:4780', 'LOCALHOST', '[::1]:1'])('loopback: %s is ours', (host) => {
    expect(local.allowsHost(host)).toBe(true);
  });

  test.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    'localhost/evil',
    'localhost evil',
    '10.0.0.7',
  ])('loopback: %s is foreign', (host) => {
    expect(local.allowsHost(host)).toBe(false);
  });

  test('listening everywhere, any address and the machine’s own name are ours, no other name is', () => {
    expect(everywhere.allowsHost('10.0.0.7:4780')).toBe(true);
    expect(everywhere.allowsHost('[fe80::1]')).toBe(true);
    expect(everywhere.allowsHost(os.hostname())).toBe(true);
    expect(everywhere.allowsHost('rebound.example')).toBe(false);
  });
});

describe('origins', () => {
  test('ours is the one with the host and port asked, or the public one', () => {
    expect(local.allowsOrigin('http://localhost:4780', 'localhost:4780')).toBe(true);
    expect(proxied.allowsOrigin('https://mill.example.org', '127.0.0.1:4780')).toBe(true);
    expect(proxied.secure).toBe(true);
  });

  test.each([
    ['http://localhost:8080', 'localhost:4780'],
    ['null', 'localhost:4780'],
    ['http://evil.example', 'localhost:4780'],
    ['http://evil.example', 'evil.example'],
    ['http://localhost:4780/path', 'localhost:4780'],
    ['http://user@localhost:4780', 'localhost:4780'],
    ['', 'localhost:4780'],
  ])('%s is foreign to %s', (origin, host) => {
    expect(local.allowsOrigin(origin, host)).toBe(false);
  });
});
