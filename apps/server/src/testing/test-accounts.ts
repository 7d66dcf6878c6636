/** The account features over a real database, with clients that keep cookies as a browser does. */
import { openStore, type Store } from '@millrace/store';
import { instanceId } from '@millrace/store/accounts';
import { type AccessChanges, accessChanges } from '../accounts/access-changes.ts';
import { accountFeature } from '../accounts/account-feature.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { authenticate } from '../accounts/authenticate.ts';
import { makeSetupLink } from '../accounts/links.ts';
import { memberFeature } from '../accounts/member-feature.ts';
import { passwords } from '../accounts/passwords.ts';
import { sessionCookie } from '../accounts/session-cookie.ts';
import { tokenFeature } from '../accounts/token-feature.ts';
import { site } from '../http/site.ts';
import { silent, startTestApp, type TestAnswer, type TestApp } from './test-app.ts';

export interface TestAccounts {
  readonly store: Store;
  readonly app: TestApp;
  readonly access: AccessChanges;
  client(): TestClient;
  /** A client whose account has just become the owner. */
  owner(email?: string): Promise<TestClient>;
  close(): Promise<void>;
}

export interface TestClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  readonly cookie: string | undefined;
}

export const PASSWORD = 'correct horse battery';

export async function startTestAccounts(dataDir: string): Promise<TestAccounts> {
  const store = await openStore({ dataDir }, () => undefined);
  const { database } = store;
  const access = accessChanges();
  const services: AccountServices = {
    database,
    access,
    site: site({ host: '127.0.0.1', publicUrl: undefined }),
    cookie: sessionCookie(await instanceId(database), false),
    passwords: passwords(),
  };
  const features = [accountFeature(services), memberFeature(services), tokenFeature(services)];
  const app = await startTestApp(features, authenticate(database, services.cookie, silent));
  const client = () => testClient(app);
  return {
    store,
    app,
    access,
    client,
    async owner(email = 'owner@example.org') {
      const owner = client();
      const secret = await makeSetupLink(database);
      const { status } = await owner.call('POST', '/api/v1/setup', { secret, email, password: PASSWORD });
      if (status !== 201) throw new Error(`the owner was not made: ${status}`);
      return owner;
    },
    async close() {
      await app.close();
      await store.close();
    },
  };
}

function testClient(app: TestApp): TestClient {
  let cookie: string | undefined;
  return {
    get cookie() {
      return cookie;
    },
    async call(method, path, body, headers) {
      const answer = await app.call(method, path, body, { ...(cookie && { cookie }), ...headers });
      const set = answer.headers.get('set-cookie')?.split(';')[0];
      if (set !== undefined) cookie = set.endsWith('=') ? undefined : set;
      return answer;
    },
  };
}
