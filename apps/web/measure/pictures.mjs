/**
 * Makes the pictures of the README from the page itself: `npm run pictures`, after `npm run build`. It starts the
 * product with data of its own, does what the tour does, and writes each picture in light and in dark to
 * docs/pictures/. CHROMIUM names another browser.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const target = join(root, 'docs/pictures');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const OWNER = { email: 'ada@example.org', password: 'only for the pictures' };
const SIZE = { width: 1280, height: 800 };
const QUALITY = 82;
const MOST_BYTES = 150_000;
const BUILT_WITHIN_MS = 120_000;
/** One close to the other, so that they are large enough to be read. */
const MACHINE_PLACES = {
  n_machine: [0, 0],
  n_readings: [280, 0],
  n_windows: [616, 0],
  n_spikes: [896, 0],
  n_table: [1176, 0],
};
const MISSPELT = ['peak, samples }', 'peek, samples }'];
const THROWS = ['=> ({', "=> {\n  if (ms < 0) throw new RangeError('time runs backwards');\n  return ({"];

const data = mkdtempSync(join(tmpdir(), 'millrace-pictures-'));
const server = spawn(
  process.execPath,
  [join(root, 'apps/cli/bin/millrace.mjs'), 'serve', '--port', String(await freePort()), '--data', data],
  {
    env: { ...process.env, MILLRACE_OWNER_EMAIL: OWNER.email, MILLRACE_OWNER_PASSWORD: OWNER.password },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const ended = new Promise((resolve) => server.once('exit', resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
});
try {
  mkdirSync(target, { recursive: true });
  const base = await addressOf(server);
  const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.5, locale: 'en-GB' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await tour(page, apiOf(context, base), base);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}

async function tour(page, api, base) {
  await api('POST', '/api/v1/login', OWNER);
  const open = async (id) => {
    await page.goto(`${base}/w/w_default/p/${id}`);
    await page.getByText('Saved', { exact: true }).waitFor();
  };
  const machine = await copyOf(api, 'p_thismachine', (files) => ({
    ...files,
    'layout.json': JSON.stringify({
      nodes: Object.fromEntries(Object.entries(MACHINE_PLACES).map(([id, at]) => [id, { at }])),
    }),
  }));
  await open(machine);
  await page.getByRole('button', { name: 'Left pane', exact: true }).click();
  await page.locator('.react-flow__node[data-id="n_spikes"]').dblclick({ position: { x: 80, y: 14 } });
  const code = page.locator('.monaco-editor');
  await code.locator('.view-line').first().waitFor();
  await showAll(page);
  await replaceCode(page, MISSPELT);
  await page.getByRole('button', { name: /^\d errors?/ }).waitFor();
  await code.locator('.squiggly-error').first().waitFor();
  await picture(page, 'code');
  await replaceCode(page, [...MISSPELT].reverse());
  await page.getByText('No problems').first().waitFor();

  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('button', { name: 'Check and plan', exact: true }).click();
  const deploy = page.getByRole('button', { name: 'Deploy version 1', exact: true });
  await deploy.waitFor({ timeout: BUILT_WITHIN_MS });
  await deploy.click();
  await page.getByText(/^Version 1 runs\.$/).waitFor();
  await page.keyboard.press('Escape');

  // A minute of life fills what is drawn over time.
  await page.waitForTimeout(60_000);
  await page.locator('.react-flow__node[data-id="n_readings"]').click();
  await page.getByRole('tab', { name: 'Records' }).click();
  const records = page.getByRole('listbox', { name: /^Records/ });
  await records.getByRole('option').nth(8).click();
  await showAll(page);
  await picture(page, 'records');
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await page.getByRole('figure', { name: 'Records per second' }).locator('canvas').waitFor();
  await picture(page, 'metrics');

  const requests = await copyOf(api, 'p_webrequests', (files) => ({
    ...files,
    'nodes/routes.ts': files['nodes/routes.ts'].replace(...THROWS).replace(/\}\)\);\n$/, '});\n});\n'),
  }));
  await api('POST', `/api/v1/pipelines/${requests}/versions`, {});
  await api('POST', `/api/v1/pipelines/${requests}/deployment`, { version: 1 });
  await open(requests);
  await page.locator('[data-live=on]').first().waitFor({ state: 'attached', timeout: BUILT_WITHIN_MS });
  await api(
    'POST',
    `/in/${requests}/requests`,
    Array.from({ length: 240 }, (_, i) => requestOf(i)),
  );
  await page.getByRole('tab', { name: 'Dead letters' }).click();
  await page.getByRole('list', { name: 'Causes' }).getByRole('button').first().click();
  await page.getByRole('region', { name: 'Stack' }).waitFor();
  await showAll(page);
  await picture(page, 'dead-letters');
}

function requestOf(i) {
  return {
    at: new Date(Date.now() - (240 - i) * 250).toISOString(),
    method: i % 5 === 0 ? 'POST' : 'GET',
    path: ['/', `/users/${i}`, '/orders', `/orders/${i}`][i % 4],
    status: i % 37 === 0 ? 502 : 200,
    ms: i % 40 === 7 ? -3 : 8 + ((i * 7) % 90),
  };
}

async function copyOf(api, id, change) {
  const { files } = await api('GET', `/api/v1/pipelines/${id}/draft`);
  const { id: _, ...pipeline } = JSON.parse(files['pipeline.json']);
  const own = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('tests/')));
  const made = change({ ...own, 'pipeline.json': JSON.stringify(pipeline) });
  return (await api('POST', '/api/v1/pipelines', { files: made })).id;
}

/** As somebody types: what the page has open follows. */
async function replaceCode(page, [from, to]) {
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('ControlOrMeta+h');
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill(from);
  await page.getByRole('textbox', { name: 'Replace', exact: true }).fill(to);
  await page.keyboard.press('ControlOrMeta+Alt+Enter');
  await page.keyboard.press('Escape');
}

async function showAll(page) {
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('1');
}

async function picture(page, name) {
  // The pointer would leave something lit.
  await page.mouse.move(SIZE.width / 2, 4);
  const session = await page.context().newCDPSession(page);
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(1_500);
    const { data: image } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
    });
    const path = join(target, `${name}-${theme}.webp`);
    writeFileSync(path, Buffer.from(image, 'base64'));
    const { size } = statSync(path);
    console.log(`${name}-${theme}.webp ${Math.round(size / 1_000)} kB`);
    if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await session.detach();
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function addressOf({ stdout }) {
  return new Promise((resolve, reject) => {
    let said = '';
    stdout.on('data', (chunk) => {
      said += chunk;
      const url = /Millrace is at (\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    stdout.on('end', () => reject(new Error(`the server ended: ${said}`)));
  });
}

function apiOf(context, base) {
  return async (method, path, body) => {
    const answer = await context.request.fetch(base + path, {
      method,
      data: body,
      headers: { origin: base },
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
}
