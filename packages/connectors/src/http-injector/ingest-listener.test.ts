import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accepted, head, postedRig, rawClient, type Sent, send } from '../../test/posted.ts';

const MB = 1024 * 1024;

describe('POST /in/<pipeline>/<injector>', () => {
  it('finds pipelines and injectors by id and by name', async () => {
    const rig = await postedRig();
    for (const path of [
      '/in/p_one/n_in',
      '/in/Orders%20%2F%20all/orders%20in',
      '/in/p_one/orders%20in?x=1',
      '/in/p_one/n_in/',
    ])
      expect(await send(rig, { path }), path).toMatchObject({
        status: 200,
        body: { accepted: 1, rejected: [] },
      });
  });

  it.each<[number, string, Sent]>([
    [401, 'bad-token', { headers: { authorization: 'Bearer other' } }],
    [401, 'bad-token', { headers: { authorization: 'Basic the-token' } }],
    [401, 'bad-token', { headers: { authorization: '' } }],
    [401, 'bad-token', { headers: { authorization: 'Bearer x' }, path: '/in/p_two/n_in' }],
    [404, 'unknown-pipeline', { path: '/in/p_two/n_in' }],
    [404, 'unknown-injector', { path: '/in/p_one/n_out' }],
    [404, 'no-such-path', { path: '/in/p_one' }],
    [404, 'no-such-path', { path: '/in/p_one/n_in/more' }],
    [404, 'no-such-path', { path: '/in/%E0%A4%A/n_in' }],
    [405, 'post-only', { method: 'PUT' }],
    [415, 'unsupported-type', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    [415, 'unsupported-type', { headers: { 'content-type': '' } }],
    [415, 'unsupported-type', { headers: { 'content-type': 'application/json; charset=latin1' } }],
    [415, 'unsupported-encoding', { headers: { 'content-encoding': 'br' } }],
    [400, 'bad-idempotency-key', { headers: { 'idempotency-key': 'with space' } }],
    [400, 'bad-idempotency-key', { headers: { 'idempotency-key': 'k'.repeat(256) } }],
    [400, 'not-gzip', { headers: { 'content-encoding': 'gzip' }, body: 'plain' }],
    [400, 'not-gzip', { headers: { 'content-encoding': 'gzip' }, body: gzipSync('[1,2,3]').subarray(0, 15) }],
    [413, 'too-large', { body: 'x'.repeat(2 * MB) }],
    [413, 'too-large', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(100 * MB)) }],
    [413, 'too-large', { headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(2 * MB) }],
  ])('answers %i %s', async (status, code, sent) => {
    const rig = await postedRig({ requestBytes: MB });
    const reply = await send(rig, sent);
    expect(reply).toMatchObject({ status, body: { status, code } });
    expect(reply.headers['content-type']).toBe('application/problem+json');
    expect(rig.taken).toEqual([]);
    if (status === 401) expect(reply.headers['www-authenticate']).toBe('Bearer');
    if (status === 405) expect(reply.headers.allow).toBe('POST');
    // Nothing of it is kept.
    expect(await send(rig)).toMatchObject({ status: 200 });
  });

  it('takes JSON and lines, plain and packed, in UTF-8', async () => {
    const rig = await postedRig();
    await send(rig, { body: '[1]', headers: { 'content-type': 'application/json; charset=UTF-8' } });
    await send(rig, { body: '1\n2', headers: { 'content-type': 'application/x-ndjson' } });
    await send(rig, { body: gzipSync('{"é":1}'), headers: { 'content-encoding': 'gzip' } });
    expect(rig.taken.map(({ format, bytes }) => [format, Buffer.from(bytes).toString()])).toEqual([
      ['json', '[1]'],
      ['jsonl', '1\n2'],
      ['json', '{"é":1}'],
    ]);
  });

  it('answers with the commit, and says what was rejected', async () => {
    const rig = await postedRig({}, false);
    const reply = send(rig);
    await expect.poll(() => rig.taken.length).toBe(1);
    const rejected = [{ index: 3, reason: 'no timestamp' }];
    rig.commit([{ accepted: 7, rejected, unlisted: 2 }]);
    expect(await reply).toMatchObject({ status: 200, body: { accepted: 7, rejected, unlisted: 2 } });
  });

  it('answers 503 when it is not known in time whether the records are in, and 200 when it is asked again', async () => {
    const rig = await postedRig({ answerMs: 50 }, false);
    const sent = { headers: { 'idempotency-key': 'k' } };
    const reply = await send(rig, sent);
    expect(reply).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(reply.headers['retry-after']).toBe('1');
    rig.commit([accepted(1)]);
    expect(await send(rig, sent)).toMatchObject({ status: 200 });
    expect(rig.taken).toHaveLength(1);
  });

  it('answers 503 while the pipeline is paused or gone, also to those who wait', async () => {
    const rig = await postedRig({}, false);
    rig.partition.held?.(true);
    expect(await send(rig)).toMatchObject({ status: 503, body: { code: 'not-running' } });
    rig.partition.held?.(false);
    const waiting = send(rig);
    await expect.poll(() => rig.taken.length).toBe(1);
    await rig.closeInjector();
    expect(await waiting).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(await send(rig)).toMatchObject({ status: 404 });
  });

  it('answers 429 when requests that wait fill their memory, and takes more when they are in', async () => {
    const rig = await postedRig({ heldBytes: MB }, false);
    const body = `"${'x'.repeat(600_000)}"`;
    const first = send(rig, { body });
    await expect.poll(() => rig.taken.length).toBe(1);
    const second = await send(rig, { body });
    expect(second).toMatchObject({ status: 429, body: { code: 'busy' } });
    expect(second.headers['retry-after']).toBe('1');
    rig.commit();
    expect(await first).toMatchObject({ status: 200 });
    const third = send(rig, { body });
    await expect.poll(() => rig.taken.length).toBe(2);
    rig.commit();
    expect(await third).toMatchObject({ status: 200 });
  });

  it('lets a client that waits for it send its body only when it is wanted', async () => {
    const rig = await postedRig();
    const wanted = rawClient(rig);
    wanted.socket.write(head('Content-Length: 1\r\nExpect: 100-continue'));
    await expect.poll(wanted.heard).toContain('100 Continue');
    wanted.socket.write('1');
    await expect.poll(wanted.heard).toContain('200 OK');
    const unwanted = rawClient(rig);
    unwanted.socket.write(head('Content-Length: 999999999\r\nExpect: 100-continue'));
    await expect.poll(unwanted.heard).toContain('413');
    expect(unwanted.heard()).not.toContain('100 Continue');
  });

  it('ends a body that stops in the middle', async () => {
    const rig = await postedRig({ stallMs: 100 });
    const slow = rawClient(rig);
    slow.socket.write(`${head('Content-Length: 100')}{"half":`);
    await slow.ended;
    expect(slow.heard()).toContain('408');
    expect(rig.taken).toEqual([]);
  });

  it('ends a body that never ends, and keeps nothing of it', async () => {
    const rig = await postedRig({ requestBytes: MB, heldBytes: 2 * MB });
    const endless = rawClient(rig);
    endless.socket.write(head('Transfer-Encoding: chunked'));
    const line = `1000\r\n${'x'.repeat(4096)}\r\n`;
    const feed = () => {
      while (endless.socket.writable && endless.socket.write(line));
    };
    endless.socket.on('drain', feed);
    feed();
    await endless.ended;
    expect(rig.taken).toEqual([]);
    const body = `"${'x'.repeat(900_000)}"`;
    for (let i = 0; i < 5; i++) expect(await send(rig, { body })).toMatchObject({ status: 200 });
  });

  it('takes nothing of a body whose client goes away in the middle', async () => {
    const rig = await postedRig();
    for (const more of [
      'Content-Length: 1000',
      'Transfer-Encoding: chunked',
      'Content-Length: 1000\r\nContent-Encoding: gzip',
    ]) {
      const client = rawClient(rig);
      client.socket.write(`${head(more)}3\r\n1\n2\r\n`);
      client.socket.end();
      await client.ended;
    }
    expect(await send(rig)).toMatchObject({ status: 200 });
    expect(rig.taken).toHaveLength(1);
  });

  it('holds no more than it took of a body that comes byte by byte', async () => {
    const rig = await postedRig({ heldBytes: 256 * 1024 });
    const client = rawClient(rig);
    client.socket.setNoDelay(true);
    client.socket.write(head('Transfer-Encoding: chunked'));
    client.socket.write('1\r\n1\r\n'.repeat(20_000));
    client.socket.write('0\r\n\r\n');
    await expect.poll(client.heard).toContain('200 OK');
    expect(rig.taken[0]?.bytes).toHaveLength(20_000);
  });
});
