/** Secrets over HTTP. Values come in and never go out: not in an answer, a log, an audit entry or an error. */
import { secretNames } from '@millrace/graph';
import type { SecretStore, Sql } from '@millrace/store';
import { z } from 'zod';
import { audit } from '../accounts/account-services.ts';
import type { Actor } from '../http/actor.ts';
import { decodeCursor, pageFrom } from '../http/cursor.ts';
import type { Feature } from '../http/handler.ts';
import { notFound } from '../http/problem.ts';

export interface SecretsOptions {
  readonly secrets: SecretStore;
}

export function secretsFeature({ secrets }: SecretsOptions): Feature {
  return (bind) => {
    bind('secrets.list', async ({ workspace, query }) => {
      const [after] = decodeCursor(query.cursor, ['string']) ?? [''];
      const [entries, plans] = await Promise.all([secrets.list(workspace), secrets.deployedPlans(workspace)]);
      const uses = usesOf(plans);
      const rest = entries.filter(({ name }) => after === '' || name > after);
      const page = pageFrom(rest.slice(0, query.limit + 1), query.limit, ({ name }) => [name]);
      const items = page.items.map((entry) => ({
        ...entry,
        updatedAt: entry.updatedAt.toISOString(),
        usedBy: uses.get(entry.name) ?? [],
      }));
      return { items, next: page.next };
    });
    bind('secrets.names', async ({ workspace }) => {
      const entries = await secrets.list(workspace);
      return { names: entries.map(({ name }) => name) };
    });
    bind('secrets.put', async ({ workspace, params: { name }, body: { value }, actor }) => {
      const also = (sql: Sql) => audit(sql, actor, { action: 'secret.written', target: name });
      return { version: await secrets.put({ workspace, name, value, actor: whoIs(actor), also }) };
    });
    bind('secrets.delete', async ({ workspace, params: { name }, actor }) => {
      const also = (sql: Sql) => audit(sql, actor, { action: 'secret.deleted', target: name });
      return (await secrets.delete(workspace, name, also)) === 'absent' ? notFound('secret') : undefined;
    });
  };
}

export function whoIs(actor: Actor): string {
  if (actor.kind === 'nobody') throw new Error('a setting was changed by nobody');
  return actor.account;
}

const planSettings = z.object({
  nodes: z.array(z.object({ config: z.record(z.string(), z.unknown()).catch({}) })),
});

interface Use {
  readonly id: string;
  readonly name: string;
}

/** Pipelines by the secrets their deployed versions name. */
function usesOf(plans: Awaited<ReturnType<SecretStore['deployedPlans']>>): ReadonlyMap<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { pipeline, name, plan } of plans) {
    const read = planSettings.safeParse(JSON.parse(plan));
    const secrets = new Set(read.data?.nodes.flatMap(({ config }) => secretNames(config)) ?? []);
    for (const secret of secrets) uses.set(secret, [...(uses.get(secret) ?? []), { id: pipeline, name }]);
  }
  return uses;
}
