import type { OpenSink, SinkContext } from '@millrace/engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memorySinkContext, sinkRow } from '../../test/contexts.ts';
import { type HttpTarget, httpTarget } from '../../test/http-target.ts';
import { connectors } from '../index.ts';

const never = new AbortController().signal;
const CANARY = 'canary-5e1f7c';

/** As the engine opens it: wrapped like every connector. */
async function open(config: object, context: SinkContext): Promise<OpenSink> {
  const sink = await connectors.sink('sink/http')?.open({ ...config }, context);
  if (sink === undefined) throw new Error('there is no sink/http');
  onTestFinished(() => sink.close());
  return sink;
}

const rows = (position: number, count: number, keyOf: (i: number) => string = () => 'k') =>
  Array.from({ length: count }, (_, i) => ({
    ...sinkRow(position, i, JSON.stringify({ key: keyOf(i), value: { n: i }, timestamp: i })),
    key: keyOf(i),
  }));

const numbers = ({ received }: HttpTarget): number[] =>
  received.flatMap(({ body }) => {
    const parsed = JSON.parse(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).map(({ value }) => value.n);
  });

describe('sink/http', () => {
  it('sends a record a request, with its id as idempotency key, and moves its mark behind it', async () => {
    const target = await httpTarget();
    const context = memorySinkContext('/');
    const sink = await open({ url: `${target.url}/in?a=1`, headers: { 'X-Source': 'mill' } }, context);
    expect(await sink.deliver({ through: 7, rows: rows(7, 2) }, never)).toEqual({ rejected: 0 });
    expect(target.received).toMatchObject([
      {
        ...{ method: 'POST', path: '/in?a=1' },
        headers: { 'idempotency-key': '7-0', 'content-type': 'application/json', 'x-source': 'mill' },
      },
      { headers: { 'idempotency-key': '7-1' } },
    ]);
    expect(JSON.parse(target.received[0]?.body ?? '')).toEqual({
      ...{ id: '7-0', key: 'k', value: { n: 0 }, timestamp: 0 },
    });
    expect(sink.through).toBe(7);
    expect(context.committed.at(-1)).toEqual({ through: 7, detail: {} });
  });

  it('sends several as an array or as lines, values alone if asked', async () => {
    const target = await httpTarget();
    const config = { url: target.url, method: 'PUT', size: 2, body: 'value' };
    const array = await open({ ...config, batch: 'array' }, memorySinkContext('/'));
    await array.deliver({ through: 1, rows: rows(1, 3) }, never);
    expect(target.received.map(({ body }) => body)).toEqual(['[{"n":0},{"n":1}]', '[{"n":2}]']);
    expect(target.received[0]).toMatchObject({ method: 'PUT' });
    const lines = await open({ ...config, batch: 'ndjson' }, memorySinkContext('/'));
    await lines.deliver({ through: 1, rows: rows(1, 2) }, never);
    expect(target.received[2]).toMatchObject({
      ...{ body: '{"n":0}\n{"n":1}\n', headers: { 'content-type': 'application/x-ndjson' } },
    });
  });

  it.each([500, 503, 429, 408])('P7: sends again what was answered %d, until it is taken', async (status) => {
    const target = await httpTarget();
    target.answer((_, count) => ({ status: count < 3 ? status : 200, headers: { 'retry-after': '0' } }));
    const context = memorySinkContext('/');
    const sink = await open({ url: target.url }, context);
    await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    expect(target.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['1-0', '1-0', '1-0']);
    expect(context.deadLetters).toEqual([]);
    expect(context.messages).toEqual([
      expect.stringContaining(`does not take records now (it answered ${status})`),
      expect.stringContaining('takes records again'),
    ]);
  });

  it('P7: waits while nobody listens, the connection breaks or no answer comes, and loses nothing', async () => {
    const first = await httpTarget();
    const { port } = first;
    await first.close();
    const context = memorySinkContext('/');
    const sink = await open({ url: `http://127.0.0.1:${port}`, timeout: '200ms' }, context);
    const sending = sink.deliver({ through: 1, rows: rows(1, 3) }, never);
    await expect.poll(() => context.messages.length).toBe(1);
    const target = await httpTarget(port);
    target.answer((_, count) => (count === 1 ? 'reset' : count === 2 ? 'hang' : { status: 200 }));
    await sending;
    expect([...new Set(numbers(target))]).toEqual([0, 1, 2]);
    expect(context.committed.at(-1)?.through).toBe(1);
  });

  it('P7: stopped while the target is away it keeps its mark, and a new one sends again', async () => {
    const target = await httpTarget();
    target.answer(() => ({ status: 503 }));
    const context = memorySinkContext('/');
    const stop = new AbortController();
    const sink = await open({ url: target.url }, context);
    const sending = sink.deliver({ through: 4, rows: rows(4, 1) }, stop.signal);
    await expect.poll(() => target.received.length).toBeGreaterThan(0);
    stop.abort();
    await expect(sending).rejects.toThrow('Nothing is lost');
    expect(context.committed).toEqual([]);
    target.answer(() => ({ status: 200 }));
    const again = await open({ url: target.url }, context);
    await again.deliver({ through: 4, rows: rows(4, 1) }, never);
    expect(again.through).toBe(4);
  });

  it('P7: a record that is refused is a dead letter with the answer, and the next one is sent', async () => {
    const target = await httpTarget();
    target.answer(({ body }) =>
      JSON.parse(body).value.n === 1 ? { status: 422, text: 'n may\nnot be 1' } : { status: 200 },
    );
    const context = memorySinkContext('/');
    const sink = await open({ url: target.url }, context);
    expect(await sink.deliver({ through: 1, rows: rows(1, 3) }, never)).toEqual({ rejected: 1 });
    expect(context.deadLetters.map(({ row, error }) => [row.ordinal, error])).toEqual([
      [1, 'it answered 422: n may not be 1'],
    ]);
    expect(numbers(target)).toEqual([0, 1, 2]);
  });

  it('P7: a batch that is refused is halved until only the bad records are dead letters', async () => {
    const target = await httpTarget();
    const bad = new Set([3, 11]);
    const taken: number[] = [];
    target.answer(({ body }) => {
      const found = JSON.parse(body).map(({ value }: { value: { n: number } }) => value.n);
      if (found.some((n: number) => bad.has(n))) return { status: 400, text: 'bad' };
      taken.push(...found);
      return { status: 200 };
    });
    const context = memorySinkContext('/');
    const sink = await open({ url: target.url, batch: 'array', size: 16 }, context);
    expect(await sink.deliver({ through: 1, rows: rows(1, 20) }, never)).toEqual({ rejected: 2 });
    expect(context.deadLetters.map(({ row }) => row.ordinal)).toEqual([3, 11]);
    expect(taken).toEqual(Array.from({ length: 20 }, (_, i) => i).filter((i) => !bad.has(i)));
  });

  it('P7: after a kill in the middle of a large bundle it goes on near where it was', async () => {
    const target = await httpTarget();
    const context = memorySinkContext('/');
    target.answer((_, count) => (count === 150 ? 'hang' : { status: 200 }));
    const stop = new AbortController();
    const sink = await open({ url: target.url }, context);
    const sending = sink.deliver({ through: 9, rows: rows(9, 200) }, stop.signal);
    await expect.poll(() => target.received.length).toBe(150);
    stop.abort();
    await expect(sending).rejects.toThrow();
    expect(context.committed.at(-1)?.through).toBe(8);
    target.answer(() => ({ status: 200 }));
    const again = await open({ url: target.url }, context);
    await again.deliver({ through: 9, rows: rows(9, 200) }, never);
    const sent = numbers(target);
    expect([...new Set(sent)]).toHaveLength(200);
    expect(sent.length).toBeLessThan(230);
  });

  it('with several requests under way, the records of a key keep their order', async () => {
    const target = await httpTarget();
    target.answer(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, JSON.parse(body).value.n % 3));
      return { status: 200 };
    });
    const sink = await open({ url: target.url, parallel: 4 }, memorySinkContext('/'));
    await sink.deliver({ through: 1, rows: rows(1, 60, (i) => `k${i % 7}`) }, never);
    expect(target.busy.most).toBeGreaterThan(1);
    expect(target.busy.most).toBeLessThanOrEqual(4);
    for (let key = 0; key < 7; key++) {
      const of = numbers(target).filter((n) => n % 7 === key);
      expect(of).toEqual([...of].sort((a, b) => a - b));
    }
    expect(numbers(target)).toHaveLength(60);
  });

  it('follows 307 and 308 with the body; across origins no header of the settings goes along', async () => {
    const [target, other] = [await httpTarget(), await httpTarget()];
    target.answer(({ path }) => {
      if (path === '/same') return { status: 308, headers: { location: '/end' } };
      return path === '/end' ? { status: 200 } : { status: 307, headers: { location: `${other.url}/end` } };
    });
    const headers = { Authorization: { secret: 'token' }, 'X-Mine': 'mine' };
    for (const path of ['/same', '/other']) {
      const context = { ...memorySinkContext('/'), secret: async () => `Bearer ${CANARY}` };
      const sink = await open({ url: `${target.url}${path}`, headers }, context);
      await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    }
    const [, end] = target.received;
    expect(end).toMatchObject({
      path: '/end',
      method: 'POST',
      headers: { authorization: `Bearer ${CANARY}` },
    });
    expect(other.received).toMatchObject([{ method: 'POST', headers: { 'idempotency-key': '1-0' } }]);
    expect(other.received[0]?.body).toBe(end?.body);
    expect(JSON.stringify(other.received)).not.toMatch(/canary|x-mine/);
  });

  it('is not led on for ever, and not to where http does not lead', async () => {
    const target = await httpTarget();
    for (const location of ['/round', 'file:///etc/passwd', 'gopher://127.0.0.1:6379/_x']) {
      target.answer(() => ({ status: 307, headers: { location } }));
      const sink = await open({ url: target.url }, memorySinkContext('/'));
      await expect(sink.deliver({ through: 1, rows: rows(1, 1) }, never)).rejects.toThrow(
        location === '/round' ? 'more than 5 times' : 'not http or https',
      );
    }
    expect(target.received).toHaveLength(6 + 1 + 1);
  });

  it('a redirect that would lose the body is a dead letter that says so', async () => {
    const target = await httpTarget();
    target.answer(() => ({ status: 302, headers: { location: '/login' } }));
    const context = memorySinkContext('/');
    const sink = await open({ url: target.url }, context);
    await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    expect(context.deadLetters[0]?.error).toContain('a redirect that would lose the body');
    expect(target.received).toHaveLength(1);
  });
});

describe('sink/http behind the walls of a server', () => {
  const walled = (hosts: readonly string[]) => ({
    ...memorySinkContext('/'),
    walls: { folders: [], own: undefined, hosts },
  });

  it.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'x.localhost', '0'])(
    'refuses %s before a byte is sent',
    async (host) => {
      const target = await httpTarget();
      const sink = await open({ url: `http://${host}:${target.port}/` }, walled([]));
      await expect(sink.deliver({ through: 1, rows: rows(1, 1) }, never)).rejects.toThrow(
        /pipelines on this server may not reach.* An admin can allow the host/,
      );
      expect(target.received).toEqual([]);
    },
  );

  it('refuses to be redirected to where it may not go itself', async () => {
    const [allowed, secret] = [await httpTarget(), await httpTarget()];
    allowed.answer(() => ({ status: 307, headers: { location: `http://localhost:${secret.port}/` } }));
    const sink = await open({ url: allowed.url }, walled([`127.0.0.1:${allowed.port}`]));
    await expect(sink.deliver({ through: 1, rows: rows(1, 1) }, never)).rejects.toThrow('may not reach');
    expect(allowed.received).toHaveLength(1);
    expect(secret.received).toEqual([]);
  });

  it('reaches what an admin allows, and only that port', async () => {
    const target = await httpTarget();
    const sink = await open({ url: target.url }, walled([`127.0.0.1:${target.port}`]));
    await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    const other = await open({ url: target.url }, walled(['127.0.0.1:1']));
    await expect(other.deliver({ through: 1, rows: rows(1, 1) }, never)).rejects.toThrow('may not reach');
    expect(target.received).toHaveLength(1);
  });
});

describe('sink/http with secrets', () => {
  it('a target that sends the secret back does not get it into dead letters, messages or errors', async () => {
    const target = await httpTarget();
    const said = `${'x'.repeat(290)} your token ${CANARY} is bad`;
    target.answer((_, count) => ({
      status: count === 1 ? 500 : 403,
      text: said,
      headers: { 'retry-after': '0' },
    }));
    const context = { ...memorySinkContext('/'), secret: async () => `Bearer ${CANARY}` };
    const sink = await open({ url: target.url, headers: { Authorization: { secret: 'token' } } }, context);
    await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    expect(target.received[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(context.deadLetters[0]?.error).toContain('it answered 403: xxx');
    // Cut short in the middle of it, a part would be left.
    expect(JSON.stringify([context.deadLetters, context.messages])).not.toContain(CANARY.slice(0, 5));
  });

  it('an address that is a secret is called by its name, whatever goes wrong', async () => {
    const target = await httpTarget();
    const { port } = target;
    const url = `http://me:${CANARY}-pw@127.0.0.1:${port}/hooks/${CANARY}-path?key=${CANARY}-key`;
    const context = { ...memorySinkContext('/'), secret: async () => url };
    target.answer(({ path }) => ({ status: 404, text: `nothing at ${path}` }));
    const sink = await open({ url: { secret: 'hook' } }, context);
    await sink.deliver({ through: 1, rows: rows(1, 1) }, never);
    expect(target.received[0]?.path).toContain(`${CANARY}-key`);
    expect(target.received[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from(`me:${CANARY}-pw`).toString('base64')}`,
    );
    const walled = { ...context, walls: { folders: [], own: undefined, hosts: [] } };
    const refused = await open({ url: { secret: 'hook' } }, walled);
    const failed = await refused.deliver({ through: 2, rows: rows(2, 1) }, never).catch((e: Error) => e);
    expect(String(failed)).toContain('send to the secret "hook"');
    expect(JSON.stringify([context.deadLetters, context.messages, (failed as Error).stack])).not.toContain(
      CANARY,
    );
  });

  it.each(['not an address', 'ftp://x/', ''])(
    'an address that is none is told without it: %j',
    async (text) => {
      const context = { ...memorySinkContext('/'), secret: async () => text };
      await expect(open({ url: { secret: 'hook' } }, context)).rejects.toThrow('Write the secret anew');
    },
  );

  it('a secret that no header can hold is told without it', async () => {
    const context = { ...memorySinkContext('/'), secret: async () => `${CANARY}\r\nX-Evil: 1` };
    const opening = open({ url: 'http://x/', headers: { 'X-Key': { secret: 'k' } } }, context);
    const failed = await opening.catch((error: Error) => error);
    expect(String(failed)).toContain('a character that headers cannot');
    expect(String((failed as Error).stack)).not.toContain(CANARY);
  });
});
