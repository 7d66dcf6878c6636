/** A server that the tests of a file share, with an owner, an editor and a viewer: all attacks are on one product. */
import { afterAll, beforeAll } from 'vitest';
import { sharedData } from './folders.ts';
import { Caller, join, type Served, serve, setUp } from './served.ts';
import { lookInto } from './served-database.ts';

export interface SharedServer {
  readonly data: string;
  readonly server: Served;
  readonly url: string;
  readonly nobody: Caller;
  readonly owner: Caller;
  readonly editor: Caller;
  readonly viewer: Caller;
}

export function sharedServer(args: readonly string[] = []): SharedServer {
  const { path } = sharedData();
  const ends: (() => Promise<void>)[] = [];
  const parts: Partial<Omit<SharedServer, 'data'>> = {};
  beforeAll(async () => {
    const server = await serve(path, { args, atEnd: (end) => void ends.push(end) });
    const owner = await setUp(server);
    const [editor, viewer] = [
      await join(owner, 'editor', 'editor@example.org'),
      await join(owner, 'viewer', 'viewer@example.org'),
    ];
    Object.assign(parts, { server, url: server.url, nobody: new Caller(server.url), owner, editor, viewer });
  }, 120_000);
  afterAll(async () => {
    parts.server?.kill('SIGTERM');
    await Promise.race([parts.server?.ended, new Promise((resolve) => setTimeout(resolve, 20_000))]);
    for (const end of ends) await end();
  }, 60_000);
  return Object.defineProperties(
    { data: path } as SharedServer,
    Object.fromEntries(
      (['server', 'url', 'nobody', 'owner', 'editor', 'viewer'] as const).map((name) => [
        name,
        { get: () => parts[name] ?? fail(name) },
      ]),
    ),
  );
}

function fail(name: string): never {
  throw new Error(`the ${name} is there once the tests run`);
}

/** Whatever a call may change: rows people make, and the log that every change is written to. */
const KEPT = [
  'accounts',
  'memberships',
  'sessions',
  'invitations',
  'account_links',
  'api_tokens',
  'audit_events',
  'catalog_entries',
  'drafts',
  'documents',
  'document_updates',
  'versions',
  'deployments',
  'deploys',
  'secrets',
  'access_settings',
] as const;
/** Follows what runs, not what somebody asks for. */
const MOVES =
  "- '{last_used_at,host,observed,observed_at,observed_version,observed_revision,reason,retry_at}'::text[]";

/** A digest of each table, to compare before and after what must have no effect. */
export async function traces(data: string): Promise<Record<string, unknown>> {
  const digests = KEPT.map(
    (name) =>
      `(select coalesce(md5(string_agg(row, ',' order by row)), '') from
         (select (to_jsonb(t) ${MOVES})::text as row from millrace.${name} t) rows) as ${name}`,
  );
  const [row] = await lookInto(data, `select ${digests.join(', ')}`);
  return row ?? {};
}
