export {
  type Account,
  type AccountWithPassword,
  accountByEmail,
  accountById,
  insertAccount,
  setAccountName,
  setPassword,
} from './account-rows.ts';
export {
  type AuditActor,
  type AuditEntry,
  type AuditEvent,
  type AuditFilter,
  listAudit,
  recordAudit,
} from './audit.ts';
export { findWorkspace, instanceId, renameWorkspace, type Workspace } from './instance.ts';
export {
  findInvitation,
  INVITATION_VALID_MS,
  type InvitationListing,
  insertInvitation,
  listInvitations,
  type NewInvitation,
  type OpenInvitation,
  revokeInvitation,
  useInvitation,
} from './invitations.ts';
export {
  findLink,
  insertLink,
  LINK_VALID_MS,
  type Link,
  type LinkKind,
  useLink,
  voidPasswordLinks,
  voidSetupLinks,
} from './links.ts';
export {
  addMember,
  changeMember,
  findMember,
  hasOwner,
  listMembers,
  type Member,
  type MemberChange,
  type MemberRole,
} from './members.ts';
export {
  forgiveAttempts,
  giveBackAttempt,
  type RateLimit,
  sweepRateLimits,
  takeAttempt,
} from './rate-limits.ts';
export {
  endSessionOf,
  endSessionsOf,
  findSession,
  insertSession,
  listSessions,
  type NewSession,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  type SessionActor,
  type SessionListing,
  sweepSessions,
  touchSession,
} from './sessions.ts';
export {
  type FoundToken,
  findToken,
  insertToken,
  listTokens,
  type NewToken,
  revokeToken,
  type TokenListing,
  touchToken,
} from './tokens.ts';
