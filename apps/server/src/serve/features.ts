/**
 * Everything the server answers: a line per feature. A new one is added here and gets what it needs from `parts`;
 * a test finds every route that no feature has bound.
 */
import {
  accessStore,
  type Keyring,
  metricsStore,
  openKeyring,
  type Store,
  secretStore,
} from '@millrace/store';
import { accessFeature } from '../access/access-feature.ts';
import { accountFeature } from '../accounts/account-feature.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { memberFeature } from '../accounts/member-feature.ts';
import { tokenFeature } from '../accounts/token-feature.ts';
import type { CatalogContext } from '../catalog/catalog-context.ts';
import { catalogFeature } from '../catalog/catalog-feature.ts';
import { deploymentFeature } from '../deployments/deployment-feature.ts';
import { filesFeature } from '../files/files-feature.ts';
import type { Feature } from '../http/handler.ts';
import { ingestFeature } from '../ingest/ingest-feature.ts';
import { instanceFeature } from '../instance/instance-feature.ts';
import { metricsFeature } from '../metrics/metrics-feature.ts';
import type { KeptMetrics } from '../metrics/record-metrics.ts';
import { pageFeature } from '../page/page-feature.ts';
import { pageFolder } from '../page/page-folder.ts';
import { secretsFeature } from '../secrets/secrets-feature.ts';
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';
import { version } from '../version.ts';
import type { ServeOptions } from './serve-options.ts';

export interface Parts {
  readonly options: ServeOptions;
  readonly store: Store;
  readonly services: AccountServices;
  readonly catalog: CatalogContext;
  readonly engineHost: EngineHost;
  readonly live: Feature;
  readonly cases: Feature;
  /** Numbers that are not stored yet. */
  readonly recent: KeptMetrics['recent'];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function composeFeatures({
  options,
  store,
  services,
  catalog,
  engineHost,
  live,
  cases,
  recent,
  env,
}: Parts): readonly Feature[] {
  const { database } = store;
  const { dataDir } = options;
  let keyring: Promise<Keyring> | undefined;
  const openedKeyring = () => {
    keyring ??= openKeyring({ dataDir, env });
    return keyring;
  };
  return [
    instanceFeature({ database, version }),
    pageFeature(pageFolder()),
    accountFeature(services),
    memberFeature(services),
    tokenFeature(services),
    secretsFeature({ secrets: secretStore(database, openedKeyring) }),
    accessFeature({ access: accessStore(database), dataDir }),
    filesFeature({ dataDir }),
    catalogFeature(catalog),
    cases,
    live,
    deploymentFeature({ store, host: engineHost }),
    metricsFeature({ store, metrics: metricsStore(database), recent }),
    ingestFeature({ deployments: store.deployments, host: engineHost }),
  ];
}
