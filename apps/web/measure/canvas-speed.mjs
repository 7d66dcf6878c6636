/**
 * How fast the canvas is: 300 nodes, 450 streams, numbers at 10 Hz, panned for 10 s at 1280 × 800 in headless
 * Chromium. Needs a built product that runs:
 *
 *   MILLRACE_OWNER_EMAIL=… MILLRACE_OWNER_PASSWORD=… node apps/web/measure/canvas-speed.mjs http://127.0.0.1:4780
 *
 * Prints the time from navigation to all nodes drawn, the frames while panning, and what a frame cost the page's main
 * thread in CPU time, which other work on the machine stretches less. The numbers are made here and put into the
 * page's own socket, so that every layer of the page that would carry them does. NODES=1000 STREAMS=1500 measures a
 * larger one, ZOOM how near (in percent), TRIES how often.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { encodeView } from '@millrace/protocol/api';
import { chromium } from 'playwright-core';
import { frameCost, TRACED } from './frame-cost.mjs';

const NODES = Number(process.env.NODES ?? 300);
const STREAMS = Number(process.env.STREAMS ?? NODES * 1.5);
const TRIES = Number(process.env.TRIES ?? 1);
const ZOOM = Number(process.env.ZOOM ?? 60);
const PAN_MS = 10_000;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];

const base = process.argv[2] ?? 'http://127.0.0.1:4780';
const profileTo = process.argv[3];
const {
  MILLRACE_OWNER_EMAIL: email,
  MILLRACE_OWNER_PASSWORD: password,
  CHROMIUM = '/usr/bin/chromium',
} = process.env;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const post = async (path, data) => {
    const answer = await context.request.post(base + path, { data, headers: { origin: base } });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  await post('/api/v1/login', { email, password });
  const graph = makeGraph();
  const files = {
    'pipeline.json': JSON.stringify(graph.pipeline),
    'layout.json': JSON.stringify(graph.layout),
  };
  const { id } = await post('/api/v1/pipelines', { files });
  const page = await context.newPage();
  await page.routeWebSocket(/\/socket/, (socket) => feedNumbers(socket, id, graph));

  const started = performance.now();
  await page.goto(`${base}/w/w_default/p/${id}`);
  await page.waitForFunction(
    (count) => document.querySelectorAll('.react-flow__node-node').length >= count,
    NODES,
  );
  console.log(`open: ${Math.round(performance.now() - started)} ms to ${NODES} nodes`);
  // At a zoom where details are drawn, not from so far that nothing is.
  await page.locator('[data-canvas]').focus();
  for (;;) {
    const zoom = Number.parseInt(await page.getByText(/^\d+ %$/).textContent(), 10);
    if (zoom >= ZOOM) break;
    await page.keyboard.press('+');
    await page.waitForTimeout(300);
  }
  await page.waitForSelector('[data-live=on]', { state: 'attached' });
  await page.waitForTimeout(800);
  for (let i = 0; i < TRIES; i++) await measured(page, context);
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await context.request.delete(`${base}/api/v1/pipelines/${id}`, { headers: { origin: base } });
} finally {
  await browser.close();
}

async function measured(page, context) {
  const load = loadavg()[0].toFixed(1);
  const session = await context.newCDPSession(page);
  if (profileTo) await startProfile(session);
  const frames = (await pan(page)).sort((a, b) => a - b);
  if (profileTo) await endProfile(session, profileTo);
  const at = (share) => frames[Math.floor(share * (frames.length - 1))]?.toFixed(1);
  const times = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
  console.log(`pan: ${frames.length} frames, ${times} (load ${load})`);
  // Apart: a trace costs time of its own.
  await browser.startTracing(page, { categories: TRACED });
  const traced = await pan(page);
  const trace = await browser.stopTracing();
  if (process.env.TRACE_TO) writeFileSync(process.env.TRACE_TO, trace);
  const cost = Object.entries(frameCost(trace, traced.length));
  console.log(`CPU per frame: ${cost.map(([part, ms]) => `${part} ${ms.toFixed(1)} ms`).join(', ')}`);
}

async function pan(page) {
  await page.evaluate(() => {
    globalThis.frameTimes = [];
    let last;
    const tick = (now) => {
      if (last !== undefined) globalThis.frameTimes.push(now - last);
      last = now;
      globalThis.frameLoop = requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const [x, y] = [640, 400];
  await page.mouse.move(x, y);
  const end = performance.now() + PAN_MS;
  for (let i = 0; performance.now() < end; i++) {
    await page.mouse.wheel(14 * Math.cos(i / 40), 9 * Math.sin(i / 25));
    await page.waitForTimeout(8);
  }
  return page.evaluate(() => {
    cancelAnimationFrame(globalThis.frameLoop);
    return globalThis.frameTimes;
  });
}

/** Columns of 15 nodes; each node feeds the next column, and half as many streams again go elsewhere. */
function makeGraph() {
  const nodes = {};
  const streams = {};
  const places = {};
  const columns = NODES / 15;
  const name = (i) => `n_m${String(i).padStart(3, '0')}`;
  const kinds = ['operator/map', 'operator/filter', 'operator/flatMap'];
  for (let i = 0; i < NODES; i++) {
    const column = Math.floor(i / 15);
    const expression = column % 2 === 0 ? 'value' : 'value.delay > 0';
    const type = column === 0 ? 'injector/generator' : column === columns - 1 ? 'sink/discard' : kinds[i % 3];
    const config = column === 0 ? { value: 'n', rate: 1000 } : type === 'sink/discard' ? {} : { expression };
    nodes[name(i)] = { type, name: `node ${i}`, config };
    places[name(i)] = { at: [column * 320, (i % 15) * 112] };
  }
  let made = 0;
  const join = (from, to) => {
    const key = made % 5 === 0 ? { keyBy: 'value.origin' } : {};
    streams[`s_m${made++}`] = { from: [name(from), 'out'], to: [name(to), 'in'], ...key };
  };
  for (let i = 0; i + 15 < NODES; i++) join(i, i + 15);
  for (let i = 0; made < STREAMS; i++) join(i, 15 * (Math.floor(i / 15) + 1) + ((i + 3) % 15));
  return { pipeline: { format: 1, name: 'Measured', nodes, streams }, layout: { nodes: places } };
}

/** Passes everything through to the server, and puts a frame of numbers in every 100 ms. */
function feedNumbers(socket, pipeline, { pipeline: graph }) {
  const server = socket.connectToServer();
  let timer;
  let isDropping = 0;
  server.onMessage((message) => {
    if (typeof message === 'string' && message.includes('"view.frame"')) {
      isDropping = Number(/^45(\d+)-/.exec(message)?.[1] ?? 0);
      return;
    }
    if (typeof message !== 'string' && isDropping > 0) {
      isDropping--;
      return;
    }
    socket.send(message);
  });
  socket.onMessage((message) => {
    server.send(message);
    if (typeof message !== 'string' || !message.includes('"view.open"') || timer) return;
    const table = tableOf(graph);
    let sequence = 0;
    timer = setInterval(() => {
      const frame = { pipeline, sequence: ++sequence, skipped: 0, body: { _placeholder: true, num: 0 } };
      const first = sequence === 1 ? { table, state: undefined } : {};
      socket.send(`451-["view.frame",${JSON.stringify({ ...frame, ...first })}]`);
      socket.send(numbersOf(table, sequence));
    }, 100).unref();
  });
  socket.onClose(() => clearInterval(timer));
}

function tableOf({ nodes, streams }) {
  return {
    version: 1,
    nodes: Object.entries(nodes).map(([node, { name }]) => ({ node, name, kind: 'computation', counts: [] })),
    streams: Object.keys(streams),
  };
}

function numbersOf(table, sequence) {
  const now = Date.now();
  const wave = (i) => 1 + 0.5 * Math.sin(sequence / 7 + i);
  const nodes = table.nodes.map(({ node }, i) => {
    const lagMs = 400 * wave(i) * (i % 17 === 0 ? 30 : 1);
    const rate = 10 ** (i % 5) * wave(i);
    const late = i % 40 === 0 ? sequence : 0;
    const numbers = { in: 1e6, out: 1e6, inRate: rate, outRate: rate, late, waiting: i % 20 === 0 ? 3 : 0 };
    return {
      ...numbers,
      node,
      busy: 0.4 * wave(i),
      lagMs,
      watermark: { kind: 'at', time: now - lagMs },
      counts: {},
    };
  });
  const streams = table.streams.map((stream, i) => {
    const rate = 10 ** (i % 5) * wave(i);
    return { stream, produced: 1e6, delivered: 1e6, inFlight: i % 30 === 0 ? 1e5 : 5, rate };
  });
  const view = { at: now, position: 0, unfoldedBytes: 0, commits: { bundleRate: 10, p50Ms: 2, p95Ms: 4 } };
  return Buffer.from(encodeView(table, { ...view, nodes, streams }));
}

async function startProfile(session) {
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 500 });
  await session.send('Profiler.start');
}

async function endProfile(session, to) {
  const { profile } = await session.send('Profiler.stop');
  writeFileSync(to, JSON.stringify(profile));
}
