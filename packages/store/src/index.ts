export {
  type AccessSettings,
  type AccessStore,
  accessStore,
  type StoredAccessSettings,
} from './access/access-settings.ts';
export type { CatalogEntry, Write } from './catalog/catalog-entry.ts';
export type { CatalogStore } from './catalog/catalog-store.ts';
export type { DraftChange, DraftSaved, Drafts, StoredDraft } from './catalog/drafts.ts';
export type { Changed, Entries, EntryChange, NewEntry } from './catalog/entries.ts';
export type { EntryPage, EntryPosition, EntryQuery, EntrySort } from './catalog/list-entries.ts';
export type { TagCount } from './catalog/list-tags.ts';
export type { Purging } from './catalog/purge.ts';
export type { SeededSample, SeededSamples } from './catalog/seeded-samples.ts';
export type {
  CatalogVersions,
  NewVersion,
  VersionEntry,
  VersionFolder,
  VersionPage,
  VersionSaved,
} from './catalog/versions.ts';
export {
  countDeadLetters,
  type DeadLetterEntry,
  type DeadLetterFilter,
  type DeadLetterGroup,
  getDeadLetter,
  groupDeadLetters,
  listDeadLetters,
} from './dead-letters/browse-dead-letters.ts';
export { type Discarded, discardDeadLetters, MOST_DISCARDED } from './dead-letters/discard-dead-letters.ts';
export type {
  Deploy,
  Deployment,
  DeploymentStore,
  DeployRequest,
  HostClaim,
  HostIdentity,
  SetDesired,
} from './deployments/deployment-store.ts';
export {
  type DocumentStart,
  type DocumentStore,
  documentStore,
  type StoredDocument,
  type StoredHistory,
} from './documents/document-store.ts';
export { FencedError, StoreError, type StoreErrorCode } from './errors.ts';
export { type MetricsStore, metricsStore, type Resolution, type Span } from './metrics/metrics-store.ts';
export type { DataRole } from './migrations/data-role.ts';
export { type Keyring, type KeyringPlace, openKeyring } from './secrets/keyring.ts';
export { type SecretEntry, type SecretStore, secretStore } from './secrets/secret-store.ts';
export {
  type LeaseLook,
  listServers,
  type ServerEntry,
  type ServerSeat,
  takeSeat,
} from './servers/server-seat.ts';
export type { Trouble } from './sql/connections.ts';
export type { Database, Sql } from './sql/database.ts';
export {
  openStore,
  type PipelineReader,
  type Store,
  type StoreAddress,
  type StoreLog,
  type StorePlace,
} from './store.ts';
