import net from 'node:net';
import {
  type ClientEvent,
  decodeView,
  eventSpec,
  ROLES,
  SOCKET_PROTOCOL,
  scopesOf,
  type ViewTable,
} from '@millrace/protocol/api';
import type { Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judge } from '../http/actor.ts';
import { nodeOf, progressOf } from '../testing/fake-live-source.ts';
import { accountActor, tokenActor } from '../testing/test-app.ts';
import { startTestSockets } from '../testing/test-sockets.ts';
import { clientEvents } from './event-hub.ts';
import { CAPS } from './socket-caps.ts';

type Frame = { sequence: number; skipped: number; table?: ViewTable; body?: Uint8Array; state?: unknown };

let rig: Awaited<ReturnType<typeof startTestSockets>>;
beforeEach(async () => {
  rig = await startTestSockets();
  rig.who.actor = accountActor('editor');
});
afterEach(() => rig.close());

const ask = (socket: Socket, event: string, payload: unknown): Promise<Record<string, unknown>> =>
  socket.timeout(5_000).emitWithAck(event, payload);

/** Keeps what comes; acknowledges while `reads`. */
function listening(socket: Socket, event: string) {
  const heard: { payload: unknown; taken: () => void }[] = [];
  const state = { reads: true };
  socket.on(event, (payload: unknown, taken?: () => void) => {
    heard.push({ payload, taken: () => taken?.() });
    if (state.reads) taken?.();
  });
  return { heard, state, payloads: () => heard.map(({ payload }) => payload) };
}

const PAYLOADS: Record<ClientEvent, unknown> = {
  'view.open': { pipeline: 'p_one' },
  'view.close': { pipeline: 'p_one' },
  'tap.open': { pipeline: 'p_one', streams: ['s_0'] },
  'tap.close': { pipeline: 'p_one', tap: 't' },
  'logs.open': { pipeline: 'p_one' },
  'logs.close': { pipeline: 'p_one', logs: 'l' },
  'doc.open': { pipeline: 'p_one' },
  'doc.close': { pipeline: 'p_one' },
  'doc.update': { pipeline: 'p_one', bytes: new Uint8Array([0, 0]) },
  'doc.presence': { pipeline: 'p_one', state: {} },
  'doc.history': { pipeline: 'p_one', base: 0, steps: '[]' },
};

describe('who may', () => {
  it('nobody gets in without a session or a token, nor a page that speaks another protocol', async () => {
    rig.who.actor = { kind: 'nobody', workspace: 'w_default', scopes: new Set() };
    await expect(rig.connected()).rejects.toMatchObject({ data: { code: 'not-logged-in' } });
    rig.who.actor = accountActor('owner');
    await expect(rig.connected({ auth: { protocol: 99 } })).rejects.toMatchObject({
      data: { code: 'other-protocol' },
    });
    await expect(rig.connected({ auth: {} })).rejects.toThrow();
  });

  it('SO1: another site, another host name, a cookie without an origin are refused before the handshake', async () => {
    const own = { Origin: rig.url };
    await rig.connected({ extraHeaders: { ...own, Cookie: 'a=b' } });
    for (const extraHeaders of [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { ...own, Host: 'evil.example' },
      { Cookie: 'a=b' },
    ])
      await expect(rig.connected({ extraHeaders }), JSON.stringify(extraHeaders)).rejects.toThrow();
    await expect(rig.connected({ transports: ['polling'] })).rejects.toThrow();
  });

  it.each(ROLES)(
    'every event asks for the permission its entry names, of a member who is %s',
    async (role) => {
      rig.who.actor = accountActor(role);
      const socket = await rig.connected();
      for (const name of clientEvents) {
        const answer = await ask(socket, name, PAYLOADS[name]);
        const allowed = scopesOf(role).includes(eventSpec(name).permission as never);
        expect([name, answer.code === 'not-allowed']).toEqual([name, !allowed]);
      }
    },
  );

  it('a token limited to one pipeline watches that one', async () => {
    rig.who.actor = tokenActor(['live.read'], 'p_one');
    const socket = await rig.connected({ auth: { protocol: SOCKET_PROTOCOL, token: 'x' } });
    expect(await ask(socket, 'view.open', { pipeline: 'p_one' })).toEqual({ ok: true });
    expect(await ask(socket, 'view.open', { pipeline: 'p_two' })).toMatchObject({ code: 'not-allowed' });
    expect(judge(rig.who.actor, 'live.read', undefined)).toBe('forbidden');
  });

  it('nothing a record or a log line says reaches who may not see data, whatever he asks for', async () => {
    const canary = 'canary-7f3a';
    const theirs = await rig.connected();
    const tapped = listening(theirs, 'tap.records');
    const { tap } = await ask(theirs, 'tap.open', PAYLOADS['tap.open']);
    const logged = listening(theirs, 'logs.lines');
    const line = { number: 1, time: 1, node: 'n_a', level: 'info', key: canary, text: canary, version: 1 };
    const lines = { book: 'b', lines: [line], cut: 0 };
    rig.source.answers['logs-read'] = { kind: 'answer', body: lines } as never;
    await ask(theirs, 'logs.open', PAYLOADS['logs.open']);
    rig.who.actor = accountActor('viewer');
    const socket = await rig.connected();
    const heard: unknown[] = [];
    socket.onAny((...given: unknown[]) => void heard.push(given));
    for (const event of clientEvents)
      heard.push(await ask(socket, event, PAYLOADS[event]).catch(() => undefined));
    await ask(socket, 'view.open', PAYLOADS['view.open']);
    const records = [{ key: canary, timestamp: 1, id: canary, text: `"${canary}"`, cut: false }];
    const batches = [{ stream: 's_0', seen: 1, records, earlier: false }];
    rig.source.say('tap', { type: 'tap', tap: tap as string, batches, dropped: 0 });
    rig.source.say('observed', { pipeline: 'p_one', state: 'failed', reason: canary, since: 1, revision: 1 });
    rig.source.say('progress', progressOf('p_one'));
    await expect
      .poll(() => JSON.stringify([tapped.payloads(), logged.payloads()]).split(canary).length)
      .toBe(6);
    await expect.poll(() => JSON.stringify(heard)).toContain('what went wrong');
    expect(JSON.stringify(heard)).not.toContain(canary);
  });

  it('a pipeline of another workspace is not found', async () => {
    const socket = await rig.connected();
    expect(await ask(socket, 'view.open', { pipeline: 'p_hidden' })).toMatchObject({ code: 'not-found' });
    expect(await ask(socket, 'view.open', { pipeline: '../etc' })).toMatchObject({ code: 'invalid' });
  });

  it('SO2: what is not allowed any more ends within a second, and is told', async () => {
    const socket = await rig.connected();
    const views = listening(socket, 'view.ended');
    const taps = listening(socket, 'tap.ended');
    await ask(socket, 'view.open', PAYLOADS['view.open']);
    await ask(socket, 'tap.open', PAYLOADS['tap.open']);
    rig.who.actor = accountActor('viewer', 'editor');
    rig.access.tell({ kind: 'account', account: 'a_editor' });
    await expect.poll(() => taps.heard.length, { timeout: 1_000 }).toBe(1);
    expect(views.heard).toEqual([]);
    rig.who.visible = () => false;
    rig.access.tell({ kind: 'account', account: 'a_editor' });
    await expect.poll(() => views.heard.length, { timeout: 1_000 }).toBe(1);
    rig.source.say('progress', progressOf('p_one'));
    expect(rig.source.asked.at(-1)).toMatchObject({ kind: 'watch', body: { everyMs: undefined } });
  });

  it('SO2: a socket whose session ended, or whose rights cannot be read in time, is closed', async () => {
    const ended = await rig.connected();
    const other = await rig.connected();
    rig.who.actor = { kind: 'nobody', workspace: 'w_default', scopes: new Set() };
    rig.access.tell({ kind: 'session', session: 's_nobodys' });
    rig.access.tell({ kind: 'session', session: 's_editor' });
    await expect.poll(() => [ended.connected, other.connected], { timeout: 1_000 }).toEqual([false, false]);
    rig.who.actor = accountActor('editor');
    const stuck = await rig.connected();
    rig.who.hang = true;
    rig.access.tell({ kind: 'account', account: 'a_editor' });
    await expect.poll(() => stuck.connected, { timeout: 1_500 }).toBe(false);
  });
});

describe('views', () => {
  it('VF3: a client gets the newest numbers, the table once, and is told what it missed', async () => {
    const socket = await rig.connected();
    const { heard, state, payloads } = listening(socket, 'view.frame');
    rig.source.say('progress', progressOf('p_one', { position: 1 }));
    expect(await ask(socket, 'view.open', { pipeline: 'p_one' })).toEqual({ ok: true });
    expect(rig.source.asked).toEqual([{ kind: 'watch', body: { pipeline: 'p_one', everyMs: 100 } }]);
    await expect.poll(() => heard.length).toBe(1);
    const [first] = payloads() as Frame[];
    const table = first?.table as ViewTable;
    expect(decodeView(table, new Uint8Array(first?.body ?? []))).toMatchObject({ position: 1 });
    state.reads = false;
    rig.source.say('progress', progressOf('p_one', { position: 2 }));
    await expect.poll(() => heard.length).toBe(2);
    for (let position = 3; position <= 9; position++)
      rig.source.say('progress', progressOf('p_one', { position }));
    // A client that reads gets frames meanwhile.
    const reader = await rig.connected();
    const read = listening(reader, 'view.frame');
    await ask(reader, 'view.open', { pipeline: 'p_one' });
    await framesFor(read.heard, 4);
    expect(heard.length).toBe(2);
    const { sequence } = rig.board.newest('p_one');
    heard[1]?.taken();
    await expect.poll(() => heard.length).toBe(3);
    const last = payloads()[2] as Frame;
    expect(last.table).toBeUndefined();
    expect([last.sequence, last.skipped]).toEqual([sequence, sequence - 3]);
  });

  it('a table that is another comes with its frame; a state that is another does, too', async () => {
    const socket = await rig.connected();
    const { heard, payloads } = listening(socket, 'view.frame');
    await ask(socket, 'view.open', { pipeline: 'p_one' });
    const state = { pipeline: 'p_one', state: 'running' as const, since: 1, revision: 1 };
    rig.source.say('observed', state);
    await expect.poll(() => heard.length).toBe(1);
    rig.source.say('progress', progressOf('p_one'));
    await expect.poll(() => heard.length).toBe(2);
    rig.source.say('progress', progressOf('p_one', { nodes: [nodeOf('n_a', { counts: { bids: 1 } })] }));
    await expect.poll(() => heard.length).toBe(3);
    rig.source.say('observed', { ...state, state: 'stopped' });
    await expect.poll(() => heard.length).toBe(4);
    const frames = payloads() as Frame[];
    expect(
      frames.map((frame) => [frame.state !== undefined, frame.table !== undefined, frame.body !== undefined]),
    ).toEqual([
      [true, false, false],
      [false, true, true],
      [false, true, true],
      [true, false, false],
    ]);
  });

  it('goes on behind the last frame a client saw before it lost its connection', async () => {
    for (let i = 0; i < 5; i++) rig.source.say('progress', progressOf('p_one'));
    const socket = await rig.connected();
    const { payloads } = listening(socket, 'view.frame');
    const after = { epoch: rig.board.epoch, sequence: 3 };
    await ask(socket, 'view.open', { pipeline: 'p_one', after });
    await expect.poll(() => payloads().length).toBe(1);
    expect(payloads()[0]).toMatchObject({ sequence: 5, skipped: 1 });
    await ask(socket, 'view.open', { pipeline: 'p_one', after: { ...after, epoch: 'of before' } });
    await expect.poll(() => payloads().length).toBe(2);
    expect(payloads()[1]).toMatchObject({ sequence: 5, skipped: 0 });
  });

  it('VF2: at most ten frames a second', async () => {
    const socket = await rig.connected();
    const { heard } = listening(socket, 'view.frame');
    await ask(socket, 'view.open', { pipeline: 'p_one' });
    const began = performance.now();
    for (let i = 0; heard.length < 6; i++) {
      rig.source.say('progress', progressOf('p_one', { position: i }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(performance.now() - began).toBeGreaterThanOrEqual(480);
  });

  it('VB1: the host tells often while somebody watches, and a host started again is asked again', async () => {
    const socket = await rig.connected();
    await ask(socket, 'view.open', { pipeline: 'p_one' });
    rig.source.say('host', 'ready');
    socket.close();
    await expect.poll(() => rig.source.asked.map(({ body }) => body.everyMs)).toEqual([100, 100, undefined]);
  });
});

describe('taps', () => {
  const record = (n: number) => ({ key: '', timestamp: n, id: String(n), text: String(n), cut: false });
  const batch = (count: number, seen = count) => ({
    stream: 's_0',
    seen,
    records: Array.from({ length: count }, (_, n) => record(n)),
    earlier: false,
  });

  it('TF1: shows records at the pace of the client, keeps the newest and counts the rest', async () => {
    const socket = await rig.connected();
    const { heard, state, payloads } = listening(socket, 'tap.records');
    const open = { pipeline: 'p_one', streams: ['s_0'], recordsPerSecond: 200 };
    const { tap } = await ask(socket, 'tap.open', open);
    expect(tap).toBe(rig.source.tap);
    state.reads = false;
    rig.source.say('tap', { type: 'tap', tap: tap as string, batches: [batch(3, 1_000)], dropped: 2 });
    await expect.poll(() => heard.length).toBe(1);
    expect(payloads()[0]).toMatchObject({ seen: 1_000, dropped: 2, filtered: 0, tap });
    for (let i = 0; i < 20; i++)
      rig.source.say('tap', {
        type: 'tap',
        tap: tap as string,
        batches: [{ ...batch(50), earlier: true }],
        dropped: 0,
      });
    await expect.poll(() => rig.source.taken.length).toBe(21);
    heard[0]?.taken();
    await expect.poll(() => heard.length).toBe(2);
    expect(payloads()[1]).toMatchObject({ seen: 1_000, dropped: 600 });
    expect((payloads()[1] as { records: unknown[] }).records).toHaveLength(50);
  });

  it('a tap of a socket that is gone is closed in the host; one the host refuses is none', async () => {
    const socket = await rig.connected();
    const { tap } = await ask(socket, 'tap.open', { pipeline: 'p_one', streams: ['s_0'] });
    socket.close();
    await expect.poll(() => rig.source.asked.at(-1)).toEqual({ kind: 'tap-close', body: { tap } });
    const next = await rig.connected();
    rig.source.answers['tap-open'] = { kind: 'refused', code: 'not-running', message: 'It does not run.' };
    expect(await ask(next, 'tap.open', { pipeline: 'p_one', streams: ['s_0'] })).toEqual({
      ok: false,
      code: 'not-running',
      detail: 'It does not run.',
    });
  });

  it('a host started again opens the taps again; a tap whose run is over ends', async () => {
    const socket = await rig.connected();
    const { payloads } = listening(socket, 'tap.ended');
    const { tap } = await ask(socket, 'tap.open', { pipeline: 'p_one', streams: ['s_0'] });
    rig.source.say('host', 'ready');
    expect(rig.source.asked.filter(({ kind }) => kind === 'tap-open')).toHaveLength(2);
    rig.source.say('tapEnded', tap as string);
    await expect.poll(() => payloads().length).toBe(1);
    expect(payloads()[0]).toMatchObject({ tap, code: 'not-running' });
  });
});

describe('SO3: what a client may hold open', () => {
  it('views and taps of a socket, sockets and taps of an account are counted', async () => {
    const socket = await rig.connected();
    const codes = async (event: string, payloadOf: (i: number) => unknown, count: number) => {
      const answers = [];
      for (let i = 0; i < count; i++) answers.push((await ask(socket, event, payloadOf(i))).code);
      return answers.filter((code) => code === 'too-many').length;
    };
    expect(await codes('view.open', (i) => ({ pipeline: `p_${i}` }), CAPS.viewsOfSocket + 1)).toBe(1);
    expect(await codes('tap.open', () => PAYLOADS['tap.open'], CAPS.tapsOfSocket + 1)).toBe(1);
    for (let i = 1; i < CAPS.socketsOfAccount; i++) await rig.connected();
    await expect(rig.connected()).rejects.toThrow('io server disconnect');
  });

  it('a client that sends more than anybody clicks, or too large a message, is cut off', async () => {
    const busy = await rig.connected();
    for (let i = 0; i < 2 * CAPS.eventsAtOnce; i++) busy.emit('view.close', { pipeline: 'p_one' });
    await expect.poll(() => busy.connected).toBe(false);
    const large = await rig.connected();
    large.emit('view.close', { pipeline: 'x'.repeat(600_000) });
    await expect.poll(() => large.connected).toBe(false);
  });

  it('a client that never reads costs one frame, whatever happens meanwhile', async () => {
    const raw = net.connect(rig.port, '127.0.0.1');
    const upgrade = [
      'GET /socket/?EIO=4&transport=websocket HTTP/1.1',
      `Host: 127.0.0.1:${rig.port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    raw.write(`${upgrade.join('\r\n')}\r\n\r\n`);
    let greeting = '';
    raw.on('data', (data) => {
      greeting += data.toString('latin1');
    });
    await expect.poll(() => greeting).toContain('pingInterval');
    raw.write(textFrame(`40${JSON.stringify({ protocol: SOCKET_PROTOCOL })}`));
    await expect.poll(() => rig.sockets.count()).toBe(1);
    raw.write(textFrame(`420${JSON.stringify(['view.open', { pipeline: 'p_one' }])}`));
    await expect.poll(() => rig.source.asked.length).toBe(1);
    raw.pause();
    const nodes = Array.from({ length: 500 }, (_, i) => nodeOf(`n_${i}`));
    const [socket] = await rig.sockets.io.fetchSockets();
    const conn = (rig.sockets.io.sockets.sockets.get(socket?.id ?? '') as unknown as Conn).conn;
    let packets = 0;
    conn.on('packetCreate', () => packets++);
    const reader = await rig.connected();
    const { heard } = listening(reader, 'view.frame');
    await ask(reader, 'view.open', { pipeline: 'p_one' });
    await framesFor(heard, 12, nodes);
    // One frame, which is a message and the bytes in it.
    expect(packets).toBeLessThanOrEqual(2);
    expect(conn.transport.socket.bufferedAmount).toBeLessThan(512 * 1024);
    raw.destroy();
  });
});

interface Conn {
  readonly conn: {
    on(event: 'packetCreate', listener: () => void): void;
    readonly transport: { readonly socket: { readonly bufferedAmount: number } };
  };
}

/** News until a client that reads has seen so many frames. */
async function framesFor(heard: readonly unknown[], count: number, nodes = [nodeOf('n_a')]): Promise<void> {
  for (let position = 0; heard.length < count; position++) {
    rig.source.say('progress', progressOf('p_one', { position, nodes }));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A masked text frame of a client; its length takes one or two bytes. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0xfe, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([0x81]), length, Buffer.alloc(4), payload]);
}
