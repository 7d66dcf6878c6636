import {
  type Access,
  ROLES,
  type RouteId,
  routeIds,
  routeSpec,
  SCOPES,
  scopesOf,
} from '@millrace/protocol/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountActor, startTestApp, type TestApp, tokenActor } from '../testing/test-app.ts';
import { type Actor, judge, NOBODY } from './actor.ts';
import { Problem } from './problem.ts';

const reached = new Problem(418, 'reached', 'The handler was reached.');
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp([(bind) => routeIds.forEach((id) => void bind(id, () => reached))]);
});
afterAll(() => app.close());

const PIPELINE = 'p_one';

/** Whether the handler, or at least the check of its input, was reached. */
async function outcome(actor: Actor, id: RouteId): Promise<'allowed' | 'unauthenticated' | 'forbidden'> {
  app.act(actor);
  const { method, path, body } = routeSpec(id);
  const address = path.replace(/[:*](\w+)|\{|\}/g, (_all, name) => (name === 'pipeline' ? PIPELINE : 'x'));
  const { status, body: answer } = await app.call(method.toUpperCase(), address, body ? {} : undefined);
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  expect((answer as { code: string }).code, id).toMatch(/^(reached|invalid|if-match-missing)$/);
  return 'allowed';
}

function expected(access: Access, scopes: readonly string[], isPerson: boolean): 'allowed' | 'forbidden' {
  if (access === 'public' || access === 'session') return 'allowed';
  if (access === 'person') return isPerson ? 'allowed' : 'forbidden';
  return scopes.includes(access) ? 'allowed' : 'forbidden';
}

describe('every route asks for the permission its entry names', () => {
  test('of nobody', async () => {
    for (const id of routeIds)
      expect(await outcome(NOBODY, id), id).toBe(
        routeSpec(id).permission === 'public' ? 'allowed' : 'unauthenticated',
      );
  });

  test.each(ROLES)('of a member who is %s', async (role) => {
    for (const id of routeIds)
      expect(await outcome(accountActor(role), id), id).toBe(
        expected(routeSpec(id).permission, scopesOf(role), true),
      );
  });

  test.each(SCOPES)('of a token with only the scope %s', async (scope) => {
    for (const id of routeIds)
      expect(await outcome(tokenActor([scope]), id), id).toBe(
        expected(routeSpec(id).permission, [scope], false),
      );
  });

  test('of a token for another pipeline, which may nothing that needs a permission', async () => {
    for (const id of routeIds) {
      const { permission } = routeSpec(id);
      const free = permission === 'public' || permission === 'session';
      expect(await outcome(tokenActor(SCOPES, 'p_other'), id), id).toBe(free ? 'allowed' : 'forbidden');
    }
  });
});

describe('a token for one pipeline', () => {
  test('is good for that pipeline, and for nothing about many', () => {
    const token = tokenActor(['graph.read'], PIPELINE);
    expect(judge(token, 'graph.read', PIPELINE)).toBe('allowed');
    expect(judge(token, 'graph.read', 'p_other')).toBe('forbidden');
    expect(judge(token, 'graph.read', undefined)).toBe('forbidden');
  });
});
