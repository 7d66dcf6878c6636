import { describe, expect, test } from 'vitest';
import { startLines } from './serve-command.ts';

const server = { address: 'http://127.0.0.1:4781', port: 4781, insteadOf: undefined, ownerLink: undefined };
const local = { host: '127.0.0.1', publicUrl: undefined };
const lines = (running: object = {}, options: object = {}, env: object = { DISPLAY: ':0' }) =>
  startLines({ ...server, ...running }, { ...local, ...options }, env as Record<string, string>);

describe('what is said at the start', () => {
  test('is one line: the address', () => {
    expect(lines()).toEqual(['Millrace is at http://127.0.0.1:4781']);
  });

  test('the first time it has the owner’s link', () => {
    const ownerLink = 'http://127.0.0.1:4781/setup#secret';
    expect(lines({ ownerLink })).toEqual([
      expect.stringMatching(/^Millrace is at .* make the owner .*#secret$/),
    ]);
  });

  test('says that another port was taken', () => {
    expect(lines({ insteadOf: 4780 })[0]).toBe('Port 4780 is taken by another program; this is 4781.');
  });

  test('behind a proxy also says where the proxy finds it', () => {
    const options = { publicUrl: new URL('https://mill.example.org') };
    expect(lines({ address: 'https://mill.example.org' }, options)).toEqual([
      'Millrace is at https://mill.example.org',
      'Its proxy finds it at http://127.0.0.1:4781',
    ]);
  });

  test.runIf(process.platform === 'linux')(
    'without a desktop says how to get there from another machine',
    () => {
      expect(lines({}, {}, { USER: 'ada', SSH_CONNECTION: '10.0.0.1 5000 10.0.0.2 22' })[1]).toBe(
        'From your own machine: ssh -L 4781:127.0.0.1:4781 ada@10.0.0.2',
      );
      expect(lines({}, { host: '0.0.0.0' }, {})).toHaveLength(1);
      expect(lines({}, { publicUrl: new URL('https://mill.example.org') }, {})).toHaveLength(2);
    },
  );
});
