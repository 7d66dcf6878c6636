import { isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  AddressRefusedError,
  type AddressRules,
  guardedLookup,
  type Resolve,
  refuseHost,
} from './address-guard.ts';
import { forbiddenAddress } from './address-ranges.ts';

const closed: AddressRules = { hosts: [] };

const PRIVATE = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8'],
  ...['192.168.0.1', '198.18.0.1', '198.19.255.255', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:c0a8:1'],
  ...['fe80::1', 'febf::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
  ...['64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2002:a00:1::', '2001::1'],
  ...['2001:db8::1', '3fff::1', '100::1', '5f00::1', '::ffff:0:127.0.0.1', '4000::1'],
];

const PUBLIC = [
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '2606:4700::1111', '2001:200::1'],
  ...['2a00:1450:4001::1', '::ffff:1.1.1.1', '64:ff9b::101:101'],
];

/** What a socket would be given for a name that resolves like this. */
function looked(name: string, answers: readonly string[], rules = closed, port = 443): Promise<string[]> {
  const resolve: Resolve = (_name, _options, callback) =>
    callback(
      null,
      answers.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    );
  return new Promise((done, failed) => {
    guardedLookup(port, rules, resolve)(name, { all: true }, (error, found) => {
      if (error) failed(error);
      else done((found as { address: string }[]).map(({ address }) => address));
    });
  });
}

/** As a connector does: the URL parser first. */
function named(url: string, hosts: readonly string[] = []): void {
  const { hostname, port } = new URL(url);
  refuseHost({ host: hostname, port: Number(port) || 80 }, { hosts });
}

describe('forbiddenAddress', () => {
  it.each(PRIVATE)('%s must not be reached', (address) => {
    expect(forbiddenAddress(address)).toBeTypeOf('string');
  });

  it.each(PUBLIC)('%s may be reached', (address) => {
    expect(forbiddenAddress(address)).toBeUndefined();
  });

  it.each(['', 'localhost', '1.2.3', '0x7f.0.0.1', '010.0.0.1', ' 1.1.1.1', '1.1.1.1%lo'])(
    '%j is no address and is refused',
    (text) => expect(forbiddenAddress(text)).toBeTypeOf('string'),
  );
});

describe('refuseHost', () => {
  it.each([
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0177.0.0.1/'],
    ...['http://127.1/', 'http://0/', 'http://0x7f.1/', 'http://[::1]/', 'http://[::ffff:7f00:1]/'],
    ...['http://[::ffff:127.0.0.1]/', 'http://１２７.0.0.1/', 'http://ⓛocalhost/', 'http://localhost/'],
    ...['http://LOCALHOST./', 'http://a.localhost/', 'http://a.b.localhost./', 'http://169.254.169.254/'],
    ...['http://3232235777/', 'http://[fe80::1]/', 'http://127.0.0.1./', 'http://%31%32%37.0.0.1/'],
  ])('%s is refused before anything is resolved', (url) => {
    expect(() => named(url)).toThrow(AddressRefusedError);
  });

  it('lets names and public addresses on to the resolver', () => {
    for (const url of ['http://example.com/', 'http://1.1.1.1/', 'http://notlocalhost/', 'http://[2606::1]/'])
      expect(() => named(url)).not.toThrow();
  });

  it('an admin allows a host by name or address, for all ports or one, and nothing else with it', () => {
    expect(() => named('http://localhost:8080/', ['localhost'])).not.toThrow();
    expect(() => named('http://LOCALHOST.:8080/', ['localhost:8080'])).not.toThrow();
    expect(() => named('http://[::1]:8080/', ['[::1]:8080'])).not.toThrow();
    expect(() => named('http://2130706433:81/', ['127.0.0.1:81'])).not.toThrow();
    expect(() => named('http://localhost:8081/', ['localhost:8080'])).toThrow(/may not reach/);
    expect(() => named('http://a.localhost/', ['localhost'])).toThrow();
    expect(() => named('http://127.0.0.2/', ['127.0.0.1'])).toThrow();
  });
});

describe('guardedLookup', () => {
  it('gives the socket exactly the addresses that were checked', async () => {
    expect(await looked('example.com', ['1.1.1.1', '2606:4700::1111'])).toEqual([
      '1.1.1.1',
      '2606:4700::1111',
    ]);
  });

  it('refuses a name of which one address is private, and says which', async () => {
    await expect(looked('evil.example', ['1.1.1.1', '10.0.0.7'])).rejects.toThrow(
      'evil.example leads to 10.0.0.7, a private address',
    );
    await expect(looked('2130706433', ['127.0.0.1'])).rejects.toThrow('an address of this machine');
  });

  it('DNS rebinding: a name that was public a moment ago is checked again when it is connected to', async () => {
    expect(await looked('rebind.example', ['1.1.1.1'])).toEqual(['1.1.1.1']);
    await expect(looked('rebind.example', ['169.254.169.254'])).rejects.toThrow(AddressRefusedError);
  });

  it('allows what an admin allowed: the name, or the address it leads to', async () => {
    expect(await looked('wiki.internal', ['10.0.0.7'], { hosts: ['wiki.internal'] })).toEqual(['10.0.0.7']);
    expect(await looked('wiki.internal', ['10.0.0.7'], { hosts: ['10.0.0.7:443'] })).toEqual(['10.0.0.7']);
    await expect(looked('wiki.internal', ['10.0.0.7'], { hosts: ['10.0.0.7:80'] })).rejects.toThrow();
  });

  it('a name without an address is told as one', async () => {
    await expect(looked('nowhere.example', [])).rejects.toThrow('has no address');
  });
});
