/** What a server is started with. Pure: from flags and environment to options, or a message for people. */
import { PASSWORD_LENGTH } from '@millrace/protocol/api';
import { z } from 'zod';
import type { GivenOwner } from '../accounts/first-owner.ts';

export interface ServeOptions {
  /** Absolute. */
  readonly dataDir: string;
  /** Instead of the embedded Postgres. */
  readonly databaseUrl: string | undefined;
  readonly host: string;
  /** Undefined: `DEFAULT_PORT`, or the next free one. */
  readonly port: number | undefined;
  /** Under which address people reach it through a proxy. */
  readonly publicUrl: URL | undefined;
  /** Every pipeline stays paused until somebody resumes it. */
  readonly paused: boolean;
  readonly owner: GivenOwner | undefined;
}

export const DEFAULT_PORT = 4780;
export const DEFAULT_HOST = '127.0.0.1';

export interface ServeFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly data?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly paused?: boolean | undefined;
}

export type ServeEnvironment = Readonly<Record<string, string | undefined>>;

/** A flag wins over its variable. `dataDir`: what to take where neither names one. */
export function serveOptions(
  flags: ServeFlags,
  env: ServeEnvironment,
  dataDir: (given: string | undefined) => string,
): ServeOptions | string {
  const port = readPort(flags.port ?? given(env.MILLRACE_PORT));
  if (typeof port === 'string') return port;
  const publicUrl = readPublicUrl(flags.publicUrl ?? given(env.MILLRACE_PUBLIC_URL));
  if (typeof publicUrl === 'string') return publicUrl;
  const owner = readOwner(given(env.MILLRACE_OWNER_EMAIL), given(env.MILLRACE_OWNER_PASSWORD));
  if (typeof owner === 'string') return owner;
  return {
    dataDir: dataDir(flags.data ?? given(env.MILLRACE_DATA)),
    databaseUrl: given(env.DATABASE_URL),
    host: (flags.host ?? given(env.MILLRACE_HOST) ?? DEFAULT_HOST).replace(/^\[|\]$/g, '').toLowerCase(),
    port,
    publicUrl,
    paused: flags.paused ?? isYes(env.MILLRACE_PAUSED),
    owner,
  };
}

/** An empty variable is one that is not set: compose files write them so. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const isYes = (text: string | undefined): boolean => /^(1|true|yes|on)$/i.test(text ?? '');

function readPort(text: string | undefined): number | undefined | string {
  if (text === undefined) return undefined;
  const port = Number(text);
  const fits = /^\d+$/.test(text) && port >= 1 && port <= 65_535;
  return fits ? port : `port ${text}: give a number from 1 to 65535.`;
}

function readPublicUrl(text: string | undefined): URL | undefined | string {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fits = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username;
  return fits
    ? url
    : `public URL ${text}: give an address such as https://millrace.example.org, without a path.`;
}

function readOwner(email: string | undefined, password: string | undefined): GivenOwner | undefined | string {
  if (email === undefined && password === undefined) return undefined;
  const address = (email ?? '').trim().toLowerCase();
  if (!z.email().safeParse(address).success)
    return 'MILLRACE_OWNER_EMAIL: give an e-mail address, together with MILLRACE_OWNER_PASSWORD.';
  if ((password ?? '').length < PASSWORD_LENGTH.least)
    return `MILLRACE_OWNER_PASSWORD: give at least ${PASSWORD_LENGTH.least} characters.`;
  return { email: address, password: password ?? '' };
}
