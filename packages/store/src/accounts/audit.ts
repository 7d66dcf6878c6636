/** The audit log: who changed what. Written in the transaction of the change, never changed. */
import type { Sql } from '../sql/database.ts';

/** $1 workspace, $2 actor kind, $3 actor, $4 actor name, $5 action, $6 target or null, $7 detail. */
const INSERT = `
insert into millrace.audit_events (workspace, actor_kind, actor, actor_name, action, target, detail)
values ($1, $2, $3, $4, $5, $6, $7::json)`;
/** $1 workspace, $2 before number or null, $3 limit, $4 target or null, $5 action or null. */
const LIST = `
select number::float8 as number, at, actor_kind as "actorKind", actor, actor_name as "actorName", action, target, detail,
       coalesce((select e.name from millrace.catalog_entries e where e.id = target and e.workspace = $1),
                (select a.name from millrace.accounts a where a.id = target)) as "targetName"
  from millrace.audit_events
 where workspace = $1 and ($2::int8 is null or number < $2) and ($4::text is null or target = $4)
   and ($5::text is null or action = $5)
 order by number desc limit $3::int8`;

export type AuditActor =
  | { readonly kind: 'account' | 'token'; readonly id: string; readonly name: string }
  /** The server itself, or whoever has its command line. */
  | { readonly kind: 'system' };

export interface AuditEntry {
  readonly workspace: string;
  readonly actor: AuditActor;
  /** `<thing>.<what happened to it>`, such as `member.role-changed`. */
  readonly action: string;
  /** Id of the thing. */
  readonly target?: string | undefined;
  /** Plain data, without secrets and without values of records. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AuditEvent {
  readonly number: number;
  readonly at: Date;
  readonly actorKind: 'account' | 'token' | 'system';
  readonly actor: string;
  readonly actorName: string;
  readonly action: string;
  readonly target: string | null;
  /** As it is called now; as it was called then, where it is gone or is neither pipeline nor person. */
  readonly targetName: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditFilter {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly target?: string | undefined;
  readonly action?: string | undefined;
}

export async function recordAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  const { workspace, actor, action, target, detail } = entry;
  const [id, name] = actor.kind === 'system' ? ['system', 'the server'] : [actor.id, actor.name];
  await sql.change(INSERT, [
    workspace,
    actor.kind,
    id,
    name,
    action,
    target ?? null,
    JSON.stringify(detail ?? {}),
  ]);
}

export async function listAudit(sql: Sql, workspace: string, filter: AuditFilter): Promise<AuditEvent[]> {
  const { before, limit, target, action } = filter;
  const values = [workspace, before ?? null, limit, target ?? null, action ?? null];
  const events = await sql.rows<AuditEvent>(LIST, values);
  return events.map((event) => ({ ...event, targetName: event.targetName ?? nameThen(event.detail) }));
}

function nameThen({ name, email }: AuditEvent['detail']): string | null {
  const said = name ?? email;
  return typeof said === 'string' ? said : null;
}
