import http from 'node:http';
import { type RouteId, routeIds, routeSpec } from '@millrace/protocol/api';
import { StoreError } from '@millrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { openApiDocument, openApiPath } from './openapi.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp([
    (bind) => bind('instance.openapi', () => openApiDocument('1')),
    (bind) =>
      bind('instance.health', () => {
        throw new StoreError('taken-over', 'Another server has taken over this database.');
      }),
  ]);
});
afterAll(() => app.close());

/** `fetch` sets Host itself. */
function withHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get(`${app.url}/api/v1/openapi.json`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
      .on('error', reject);
  });
}

describe('the application', () => {
  test('has exactly the routes of the table', () => {
    const found = app.app.express.router.stack.flatMap(({ route }) =>
      route ? route.stack.map(({ method }) => `${method} ${route.path}`) : [],
    );
    const wanted = routeIds.map((id: RouteId) => `${routeSpec(id).method} ${routeSpec(id).path}`);
    expect([...new Set(found)].sort()).toEqual([...wanted].sort());
    expect(new Set(wanted).size).toBe(routeIds.length);
  });

  test('describes every route in its OpenAPI document', async () => {
    const { status, body } = await app.call('GET', '/api/v1/openapi.json');
    expect(status).toBe(200);
    const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const id of routeIds) {
      const { path, method } = routeSpec(id);
      expect(paths[openApiPath(path)]?.[method]?.operationId).toBe(id);
    }
  });

  test('answers what it does not have with a problem document and an id', async () => {
    const { status, headers, body } = await app.call('GET', '/api/v1/nothing');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({
      code: 'no-such-route',
      status: 404,
      requestId: headers.get('x-request-id'),
    });
  });

  test('asks whoever meets it just when another server took over to come again', async () => {
    const { status, headers, body } = await app.call('GET', '/healthz');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body).toMatchObject({ code: 'standing-by' });
  });

  test('does not answer to a foreign host name', async () => {
    expect(await withHost('evil.example')).toBe(421);
    expect(await withHost('127.0.0.1.evil.example')).toBe(421);
    expect(await withHost('localhost:1')).toBe(200);
    expect(await withHost('[::1]:8080')).toBe(200);
  });

  test('sends a strict content security policy that does not force https', async () => {
    const policy = (await app.call('GET', '/api/v1/openapi.json')).headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests/);
  });

  test('refuses a route that is bound twice', async () => {
    const twice = startTestApp([
      (bind) => bind('instance.health', () => ({ status: 'ok', role: 'leads' })),
      (bind) => bind('instance.health', () => ({ status: 'ok', role: 'leads' })),
    ]);
    await expect(twice).rejects.toThrow('instance.health is bound twice');
  });
});
