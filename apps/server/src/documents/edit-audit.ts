/**
 * Tells the audit log who edits a draft: with the first edit, and once an hour while it goes on. Every edit by
 * itself would bury the rest of the log; the document's rows hold them, each with its author.
 */
import type { Database } from '@millrace/store';
import type { Logger } from 'pino';
import { audit } from '../accounts/account-services.ts';
import type { Actor } from '../http/actor.ts';

const EVERY_MS = 3_600_000;
/** Of people and drafts, those told longest ago go first. */
const MOST_KNOWN = 10_000;

export interface EditAuditOptions {
  readonly database: Database;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

export type Edited = (actor: Actor, pipeline: string) => void;

/** What was told is forgotten at a restart: then it is told once more. */
export function editAudit({ database, log, now = Date.now }: EditAuditOptions): Edited {
  const told = new Map<string, number>();
  return (actor, pipeline) => {
    if (actor.kind === 'nobody') return;
    const key = JSON.stringify([actor.account, pipeline]);
    const at = now();
    if (at - (told.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    told.delete(key);
    told.set(key, at);
    const [oldest] = told.keys();
    if (told.size > MOST_KNOWN && oldest !== undefined) told.delete(oldest);
    audit(database, actor, { action: 'draft.edited', target: pipeline }).catch((error: unknown) => {
      told.delete(key);
      log.error({ err: error, pipeline }, 'an edit could not be written to the audit log');
    });
  };
}
