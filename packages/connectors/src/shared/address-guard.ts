/**
 * Keeps connectors of a server out of the networks behind it (SSRF).
 *
 * Invariants
 *   - What is checked is what is connected to: a name is resolved once, every address it gives is checked, and
 *     exactly these are handed to the socket. So a name that resolves to something else a moment later (DNS
 *     rebinding) gains nothing.
 *   - Literal addresses never reach a resolver, so they are checked by themselves, in whatever spelling
 *     (`2130706433`, `0x7f.1`): the URL parser, or the resolver, turns them into the one that is checked.
 *   - A name is refused when one of its addresses is.
 * Without rules nothing is guarded: `millrace run` has the rights of who runs it.
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { forbiddenAddress } from './address-ranges.ts';

export interface AddressRules {
  /** Hosts an admin allows whatever their address is: `name`, `address`, either with `:port`. */
  readonly hosts: readonly string[];
}

export interface Destination {
  /** A name or an address; IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
}

export class AddressRefusedError extends Error {
  readonly code = 'address-refused';
  readonly remedy: string;

  constructor({ host, port }: Destination, address: string, what: string) {
    const leads = bare(host) === address ? `${address} is` : `${host} leads to ${address},`;
    super(`${leads} ${what}, which pipelines on this server may not reach.`);
    this.name = 'AddressRefusedError';
    this.remedy = `An admin can allow the host ${withPort(bare(host), port)} in the settings.`;
  }
}

/** Refuses by name: literal addresses and names of this machine. The resolver's answer is `guardedLookup`'s. */
export function refuseHost(destination: Destination, rules: AddressRules): void {
  const host = bare(destination.host);
  if (allows(rules, host, destination.port)) return;
  if (/(^|\.)localhost\.?$/i.test(host) || host === '') {
    throw new AddressRefusedError(destination, host, 'a name of this machine');
  }
  if (isIP(host.split('%')[0] ?? '') === 0) return;
  const what = forbiddenAddress(host);
  if (what !== undefined) throw new AddressRefusedError(destination, host, what);
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The `lookup` of a socket that is about to connect to `port`. */
export function guardedLookup(
  port: number,
  rules: AddressRules,
  resolve: Resolve = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? refusalOf({ host: hostname, port }, addresses, rules);
      const [first] = addresses ?? [];
      if (refusal !== undefined || first === undefined) callback(refusal ?? noAddress(hostname), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refusalOf(
  destination: Destination,
  addresses: readonly LookupAddress[],
  rules: AddressRules,
): AddressRefusedError | undefined {
  if (allows(rules, bare(destination.host), destination.port)) return undefined;
  for (const { address } of addresses) {
    const what = forbiddenAddress(address);
    if (what === undefined || allows(rules, address, destination.port)) continue;
    return new AddressRefusedError(destination, address, what);
  }
  return undefined;
}

/** Exact matches only: with a wildcard, whoever may name a host below it could reach anything. */
function allows(rules: AddressRules, host: string, port: number): boolean {
  const wanted = host.toLowerCase().replace(/\.$/, '');
  return rules.hosts.some((entry) => {
    const allowed = entry.toLowerCase();
    return allowed === wanted || bare(allowed) === wanted || allowed === withPort(wanted, port);
  });
}

function bare(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function withPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
