export type {
  Deploy,
  Deployment,
  DeploymentStore,
  DeployRequest,
  HostClaim,
  HostIdentity,
  SetDesired,
} from './deployments/deployment-store.ts';
export { FencedError, StoreError, type StoreErrorCode } from './errors.ts';
export type { DataRole } from './migrations/data-role.ts';
export type { Trouble } from './sql/connections.ts';
export type { Database, Sql } from './sql/database.ts';
export { openStore, type Store, type StoreAddress, type StoreLog, type StorePlace } from './store.ts';
