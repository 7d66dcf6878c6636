/**
 * Which addresses a server must not be talked into reaching: those that only exist inside a network, and those
 * that lead there in disguise. Pure. After IANA's special-purpose registries for IPv4 and IPv6.
 */
import { isIPv4, isIPv6 } from 'node:net';

type Range = readonly [network: string, bits: number, what: string];

const V4: readonly Range[] = [
  ['0.0.0.0', 8, 'an address of this machine'],
  ['10.0.0.0', 8, 'a private address'],
  ['100.64.0.0', 10, "an address inside a provider's network"],
  ['127.0.0.0', 8, 'an address of this machine'],
  ['169.254.0.0', 16, 'a link-local address'],
  ['172.16.0.0', 12, 'a private address'],
  ['192.0.0.0', 24, 'a reserved address'],
  ['192.0.2.0', 24, 'an address for documentation'],
  ['192.88.99.0', 24, 'a 6to4 relay'],
  ['192.168.0.0', 16, 'a private address'],
  ['198.18.0.0', 15, 'an address for benchmarks'],
  ['198.51.100.0', 24, 'an address for documentation'],
  ['203.0.113.0', 24, 'an address for documentation'],
  ['224.0.0.0', 4, 'a multicast address'],
  ['240.0.0.0', 4, 'a reserved address'],
];

/** Within 2000::/3; everything outside it is refused, but for what carries a public IPv4 address. */
const V6: readonly Range[] = [
  ['2001::', 23, 'a reserved address (Teredo and others)'],
  ['2001:db8::', 32, 'an address for documentation'],
  ['2002::', 16, 'a 6to4 address'],
  ['3fff::', 20, 'an address for documentation'],
];

/** What makes an address one that must not be reached; undefined for a public one. Anything unreadable is refused. */
export function forbiddenAddress(address: string): string | undefined {
  if (isIPv4(address)) return forbiddenV4(numberV4(address));
  if (isIPv6(address) && !address.includes('%')) return forbiddenV6(numberV6(address));
  return 'no address that can be checked';
}

const V4_RANGES = V4.map(([network, bits, what]) => ({ first: numberV4(network), bits, what }));
const V6_RANGES = V6.map(([network, bits, what]) => ({ first: numberV6(network), bits, what }));
const MAPPED = numberV6('::ffff:0:0') >> 32n;
const NAT64 = numberV6('64:ff9b::') >> 32n;

function forbiddenV4(address: bigint): string | undefined {
  return V4_RANGES.find(({ first, bits }) => samePrefix(address, first, 32 - bits))?.what;
}

function forbiddenV6(address: bigint): string | undefined {
  const front = address >> 32n;
  if (front === MAPPED || front === NAT64) return forbiddenV4(address & 0xffff_ffffn);
  if (address === 1n || address === 0n) return 'an address of this machine';
  if (address >> 120n === 0xffn) return 'a multicast address';
  if (address >> 118n === 0x3fan) return 'a link-local address';
  if (address >> 121n === 0x7en) return 'a private address';
  if (address >> 125n !== 1n) return 'a reserved address';
  return V6_RANGES.find(({ first, bits }) => samePrefix(address, first, 128 - bits))?.what;
}

function samePrefix(a: bigint, b: bigint, rest: number): boolean {
  return a >> BigInt(rest) === b >> BigInt(rest);
}

function numberV4(text: string): bigint {
  return text.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n);
}

function numberV6(text: string): bigint {
  const [front = '', back] = expandV4(text).split('::');
  const head = groups(front);
  const tail = groups(back ?? '');
  const gap = back === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array.from({ length: gap }, () => 0n), ...tail];
  return all.reduce((number, group) => (number << 16n) | group, 0n);
}

/** `::ffff:10.0.0.1` is `::ffff:a00:1`. */
function expandV4(text: string): string {
  const at = text.lastIndexOf(':') + 1;
  if (!text.includes('.')) return text;
  const number = numberV4(text.slice(at));
  return `${text.slice(0, at)}${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
}

function groups(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}
