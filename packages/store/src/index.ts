export { FencedError, StoreError, type StoreErrorCode } from './errors.ts';
export type { DataRole } from './migrations/data-role.ts';
export type { Trouble } from './sql/connections.ts';
export type { Database, Sql } from './sql/database.ts';
export { openStore, type Store, type StoreLog, type StorePlace } from './store.ts';
