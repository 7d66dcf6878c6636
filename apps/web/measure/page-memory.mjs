/**
 * Whether the page holds its memory: the editor of a pipeline at full load, open for ten minutes with its records,
 * logs and numbers over time shown in turn. Needs a built product that runs and takes pipelines:
 *
 *   MILLRACE_OWNER_EMAIL=… MILLRACE_OWNER_PASSWORD=… node apps/web/measure/page-memory.mjs http://127.0.0.1:4780
 *
 * Prints, at minutes 1, 5 and 10 and each after the garbage was collected, the heap, the elements of the document and
 * the listeners. MINUTES=2 looks at half a minute, a minute and two instead. Ends with 1 where, from the first look to
 * the last, the heap grew by more than a tenth and 4 MB, or the elements by more than a tenth and 200.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const RATE = process.env.RATE ? Number(process.env.RATE) : 'max';
const MINUTES = Number(process.env.MINUTES ?? 10);
const LOOKS = MINUTES === 10 ? [1, 5, 10] : [MINUTES / 4, MINUTES / 2, MINUTES];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const TABS = ['Records', 'Logs', 'Metrics', 'Dead letters', 'Problems'];
const TAB_MS = 6_000;

const base = process.argv[2] ?? 'http://127.0.0.1:4780';
const {
  MILLRACE_OWNER_EMAIL: email,
  MILLRACE_OWNER_PASSWORD: password,
  CHROMIUM = '/usr/bin/chromium',
} = process.env;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const send = async (method, path, data) => {
    const answer = await context.request.fetch(base + path, { method, data, headers: { origin: base } });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return answer.status() === 204 ? undefined : answer.json();
  };
  await send('POST', '/api/v1/login', { email, password });
  const { id } = await send('POST', '/api/v1/pipelines', { files: busyPipeline() });
  const { number } = await send('POST', `/api/v1/pipelines/${id}/versions`, {});
  await send('POST', `/api/v1/pipelines/${id}/deployment`, { version: number });
  const page = await context.newPage();
  await page.goto(`${base}/w/w_default/p/${id}`);
  await page.waitForSelector('[data-live=on]', { state: 'attached', timeout: 120_000 });
  await page.getByRole('button', { name: 'Drawer', exact: true }).click();
  const looks = await watched(page, await context.newCDPSession(page));
  process.exitCode = hasGrown(looks) ? 1 : 0;
  console.log(process.exitCode ? 'it grows' : 'it does not grow');
  await send('POST', `/api/v1/pipelines/${id}/deployment/kill`);
} finally {
  await browser.close();
}

async function watched(page, session) {
  const looks = [];
  const started = performance.now();
  for (let round = 0; looks.length < LOOKS.length; round++) {
    const tab = TABS[round % TABS.length];
    await page.getByRole('tab', { name: tab }).click();
    await page.locator(`.react-flow__node[data-id="${round % 2 ? 'n_double' : 'n_out'}"]`).click();
    await sleep(TAB_MS);
    const minutes = (performance.now() - started) / 60_000;
    if (minutes < LOOKS[looks.length]) continue;
    // Always at the same place: what a tab shows is not what is left behind.
    await page.getByRole('tab', { name: 'Problems' }).click();
    await sleep(1_000);
    looks.push(await look(page, session, minutes));
  }
  return looks;
}

async function look(page, session, minutes) {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const elements = await page.evaluate(() => document.getElementsByTagName('*').length);
  const rate = await page.locator('[data-id="n_out"] [title="records a second, in"]').textContent();
  const seen = { minutes, heapMb: usedSize / 2 ** 20, elements, nodes, jsEventListeners };
  console.log(
    `minute ${minutes.toFixed(1)}: heap ${seen.heapMb.toFixed(1)} MB, ${elements} elements (${nodes} nodes kept), ` +
      `${jsEventListeners} listeners, ${rate} arrive (load ${loadavg()[0].toFixed(1)})`,
  );
  return seen;
}

function hasGrown(looks) {
  const [first, last] = [looks[0], looks.at(-1)];
  const grew = (key, least) => last[key] > first[key] * 1.1 && last[key] > first[key] + least;
  return grew('heapMb', 4) || grew('elements', 200) || grew('nodes', 1_000) || grew('jsEventListeners', 100);
}

/** As much as the machine gives, with everything that a page shows: logs, dead letters, keys. */
function busyPipeline() {
  const code = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { doubled: { n: number; twice: number } }

export default computation<Inputs, Outputs, { seen: number }>({
  processRecord(record, ctx) {
    const seen = (ctx.state.get()?.seen ?? 0) + 1;
    ctx.state.set({ seen });
    const { n } = record.value;
    if (n % 5_000 === 0) ctx.log.info('came to', n);
    if (n % 100_000 === 99_999) throw new Error('every hundred-thousandth');
    ctx.produce('doubled', { n, twice: 2 * n });
  },
});
`;
  const pipeline = {
    format: 1,
    name: 'At full load',
    nodes: {
      n_in: {
        type: 'injector/generator',
        name: 'numbers',
        config: {
          value: '{ n }',
          type: '{ n: number }',
          rate: RATE,
        },
      },
      n_double: { type: 'code', name: 'double', code: 'nodes/double.ts' },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      s_in: { from: ['n_in', 'out'], to: ['n_double', 'in'], keyBy: "'key-' + (value.n % 1000)" },
      s_out: { from: ['n_double', 'doubled'], to: ['n_out', 'in'] },
    },
  };
  const layout = { nodes: { n_in: { at: [0, 0] }, n_double: { at: [320, 0] }, n_out: { at: [640, 0] } } };
  return {
    'pipeline.json': JSON.stringify(pipeline),
    'layout.json': JSON.stringify(layout),
    'nodes/double.ts': code,
  };
}
