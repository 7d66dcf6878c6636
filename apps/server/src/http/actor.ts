/** Who makes a call. Permissions decide what it may do; everything else is for the audit log and for display. */
import type { Access, Role, Scope } from '@millrace/protocol/api';

export interface AccountActor {
  readonly kind: 'account';
  readonly account: string;
  readonly email: string;
  readonly name: string;
  readonly session: string;
  readonly workspace: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<Scope>;
}

export interface TokenActor {
  readonly kind: 'token';
  readonly token: string;
  readonly name: string;
  /** Who made it: it never may more than that account may now. */
  readonly account: string;
  readonly workspace: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Set: good for this pipeline only. */
  readonly pipeline: string | undefined;
}

export interface Nobody {
  readonly kind: 'nobody';
  readonly workspace: string;
  readonly scopes: ReadonlySet<Scope>;
}

export type Actor = AccountActor | TokenActor | Nobody;

export const DEFAULT_WORKSPACE = 'w_default';
export const NOBODY: Nobody = { kind: 'nobody', workspace: DEFAULT_WORKSPACE, scopes: new Set() };

export type Verdict = 'allowed' | 'unauthenticated' | 'forbidden';

/**
 * The one place where a permission is checked, for routes and events alike.
 * `pipeline`: which one the call is about; undefined when it is about none or about many.
 */
export function judge(actor: Actor, access: Access, pipeline: string | undefined): Verdict {
  if (access === 'public') return 'allowed';
  if (actor.kind === 'nobody') return 'unauthenticated';
  if (access === 'session') return 'allowed';
  if (access === 'person') return actor.kind === 'account' ? 'allowed' : 'forbidden';
  if (!actor.scopes.has(access)) return 'forbidden';
  const limitedTo = actor.kind === 'token' ? actor.pipeline : undefined;
  return limitedTo === undefined || limitedTo === pipeline ? 'allowed' : 'forbidden';
}

/** May this actor, about this pipeline (undefined: about all)? For lists that show only a part. */
export const may = (actor: Actor, access: Access, pipeline?: string): boolean =>
  judge(actor, access, pipeline) === 'allowed';
