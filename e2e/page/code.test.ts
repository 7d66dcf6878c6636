/** Two people in one draft: types along the wires, typing, a cut connection, a deploy, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openBrowser, openPage } from '../support/browser.ts';
import { sharedData } from '../support/folders.ts';
import { PASSWORD, type Served, serve } from '../support/served.ts';

const EMAIL = 'owner@example.org';
const code = (outputs: string, body: string): string => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { ${outputs} }

export default computation<Inputs, Outputs>({
  processRecord(record, ctx) {
    ${body}
  },
});
`;
const PIPELINE = {
  format: 1,
  name: 'Doubling',
  nodes: {
    n_in: {
      type: 'injector/generator',
      name: 'numbers',
      config: { value: '{ n }', type: '{ n: number }', rate: 10 },
    },
    n_pass: { type: 'code', name: 'pass', code: 'nodes/pass.ts' },
    n_double: { type: 'code', name: 'double', code: 'nodes/double.ts' },
    n_out: { type: 'sink/discard', name: 'out' },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_pass', 'in'], keyBy: 'value.n' },
    s_mid: { from: ['n_pass', 'n'], to: ['n_double', 'in'], keyBy: 'value.n' },
    s_out: { from: ['n_double', 'doubled'], to: ['n_out', 'in'] },
  },
};
const LAYOUT = {
  nodes: {
    n_in: { at: [0, 0] },
    n_pass: { at: [280, 0] },
    n_double: { at: [560, 0] },
    n_out: { at: [840, 0] },
  },
};
const FILES = {
  'pipeline.json': JSON.stringify(PIPELINE),
  'layout.json': JSON.stringify(LAYOUT),
  'nodes/pass.ts': code('n: { n: number }', "ctx.produce('n', { n: record.value.n });"),
  'nodes/double.ts': code('doubled: { n: number }', "ctx.produce('doubled', { n: record.value.n * 2 });"),
};

const data = sharedData();
let end: (() => Promise<void>) | undefined;
let browser: Browser;
let server: Served;
let one: OpenPage;
let two: Page;

beforeAll(async () => {
  server = await serve(data.path, {
    atEnd: (how) => {
      end = how;
    },
  });
  browser = await openBrowser();
  one = await openPage(browser);
  const { page } = one;
  await page.goto(`${server.url}/setup#${server.ownerSecret}`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Name').fill('Ada Mill');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account', exact: true }).click();
  await page.getByRole('heading', { name: 'Draw your first pipeline' }).waitFor();
  const headers = { origin: server.url };
  const made = await page.request.post(`${server.url}/api/v1/pipelines`, { data: { files: FILES }, headers });
  const { id } = (await made.json()) as { id: string };
  const url = `${server.url}/w/w_default/p/${id}`;
  two = (await openPage(browser)).page;
  await two.context().addCookies(await page.context().cookies());
  for (const each of [page, two]) {
    await each.goto(url);
    await each.getByText('Saved', { exact: true }).waitFor();
  }
});
afterAll(async () => {
  await browser?.close();
  server?.kill('SIGTERM');
  await server?.ended;
  await end?.();
});

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const shown = async (page: Page) =>
  ((await page.locator('.monaco-editor .view-lines').textContent()) ?? '').replace(/\u00a0/g, ' ');

async function openCode(page: Page, id: string): Promise<void> {
  await node(page, id).dblclick();
  await page.locator('.monaco-editor .view-line').first().waitFor();
}

describe('code beside the canvas', () => {
  test('a producer\u2019s changed outputs are an error in its consumer at once, until it is taken back', async () => {
    const { page } = one;
    await openCode(page, 'n_pass');
    await page.locator('.monaco-editor .view-lines').click();
    await page.keyboard.press('Control+Home');
    for (let line = 1; line < 4; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    for (const _ of ' } }'.slice(1)) await page.keyboard.press('ArrowLeft');
    for (const _ of 'number ') await page.keyboard.press('Backspace');
    await page.keyboard.type('string');
    await page.getByRole('tab', { name: /Problems/ }).click();
    await page.getByRole('button', { name: /arithmetic operation.*double/ }).waitFor();
    for (let i = 0; i < 3; i++) {
      await node(page, 'n_in').click();
      await page.keyboard.press('Control+z');
    }
    await page.getByText('No problems: graph and code are sound.').waitFor();
  });

  test('both go on while one has no network, and agree when it is back', async () => {
    const { page } = one;
    await openCode(two, 'n_pass');
    await two.context().setOffline(true);
    await two.locator('.monaco-editor .view-lines').click();
    await two.keyboard.press('Control+Home');
    await two.keyboard.type('// typed away\n');
    await node(page, 'n_out').click();
    await page.getByLabel('Inspector').getByLabel('Name').fill('renamed');
    await page.keyboard.press('Enter');
    await two.context().setOffline(false);
    await node(two, 'n_out').getByText('renamed').waitFor();
    await openCode(page, 'n_pass');
    await expect.poll(() => shown(page)).toContain('// typed away');
  });

  test('the plan is shown, then it runs', async () => {
    const { page } = one;
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('button', { name: 'Check and plan' }).click();
    await page.getByRole('button', { name: 'Deploy version 1' }).click();
    await page.getByText('Running', { exact: true }).first().waitFor();
    await two.getByText('Running', { exact: true }).first().waitFor();
  });
});
