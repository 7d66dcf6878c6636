/** Drawing a pipeline, by mouse and by keyboard alone, in a real browser against the real product. */
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { makeOwner } from '../support/drawing.ts';
import { productInBrowser } from '../support/product.ts';
import type { Served } from '../support/served.ts';

const EMAIL = 'owner@example.org';

const product = productInBrowser();
let browser: Browser;
let server: Served;
let opened: OpenPage;
let page: Page;

beforeAll(async () => {
  ({ server, browser } = await product.start());
  opened = await openPage(browser);
  page = opened.page;
  await makeOwner(page, server, EMAIL);
});

const canvas = () => page.locator('[data-canvas]');
const nodes = () => page.locator('.react-flow__node-node');
const streams = () => page.locator('.react-flow__edge');
const node = (name: string) => nodes().filter({ has: page.getByText(name, { exact: true }) });
const port = (name: string, side: 'source' | 'target') =>
  node(name).locator(`.react-flow__handle.${side}`).first();
const count = async (of: Locator, expected: number) => expect.poll(() => of.count()).toBe(expected);
const saved = async () => page.getByText('Saved', { exact: true }).waitFor();

async function newPipeline(name: string): Promise<void> {
  const made = await page.request.post(`${server.url}/api/v1/pipelines`, {
    data: { name },
    headers: { origin: server.url },
  });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`${server.url}/w/w_default/p/${id}`);
  await page.getByRole('heading', { name: 'Nothing flows yet' }).waitFor();
}

async function drop(type: string, x: number, y: number): Promise<void> {
  const entry = page.getByLabel('Palette').getByRole('button', { name: type, exact: true }).first();
  await entry.dragTo(canvas(), { targetPosition: { x, y } });
}

async function middle(of: Locator): Promise<readonly [x: number, y: number]> {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function draw(from: Locator, to: Locator): Promise<void> {
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 8 });
  await page.mouse.up();
}

describe('with the mouse', () => {
  test('three nodes are dragged in and joined', async () => {
    await newPipeline('By mouse');
    await drop('Interval', 140, 200);
    await drop('Filter', 380, 200);
    await drop('Discard', 620, 240);
    await count(nodes(), 3);
    await draw(port('interval', 'source'), port('filter', 'target'));
    await count(streams(), 1);
    await draw(port('filter', 'source'), port('discard', 'target'));
    await count(streams(), 2);
  });

  test('a port that cannot fit is dimmed and says why', async () => {
    await page.mouse.move(...(await middle(port('filter', 'source'))));
    await page.mouse.down();
    await page.mouse.move(...(await middle(port('filter', 'target'))), { steps: 8 });
    await expect.poll(() => port('filter', 'target').getAttribute('data-fit')).toBe('no');
    await page.getByText('a node cannot feed itself').waitFor();
    await page.mouse.up();
    await count(streams(), 2);
  });

  test('a node dropped on a stream is spliced in, and leaves the rest joined when it is deleted', async () => {
    const [left, top] = await middle(port('interval', 'source'));
    const [right, bottom] = await middle(port('filter', 'target'));
    const box = await canvas().boundingBox();
    await drop('Map', (left + right) / 2 - (box?.x ?? 0), (top + bottom) / 2 - (box?.y ?? 0));
    await count(nodes(), 4);
    await count(streams(), 3);
    await canvas().focus();
    await page.keyboard.press('Delete');
    await count(nodes(), 3);
    await count(streams(), 2);
  });

  test('a setting that is wrong is said at its field and on the node, until it is right', async () => {
    await node('interval').click({ position: { x: 100, y: 30 } });
    const field = page.getByLabel('Every', { exact: true });
    await field.fill('soon');
    await page.getByText('Is not a duration', { exact: false }).first().waitFor();
    await field.fill('2s');
    await expect.poll(() => page.getByText('Is not a duration', { exact: false }).count()).toBe(0);
    await node('interval').getByText('every 2s').waitFor();
  });

  test('an import into the draft shows what it changes, and is one step to undo', async () => {
    const url = page.url();
    const id = /\/p\/(p_[a-z0-9]+)/.exec(url)?.[1];
    await saved();
    const archive = await page.request.get(`${server.url}/api/v1/pipelines/${id}/export`);
    const before = await nodes().count();
    await node('discard').click({ position: { x: 90, y: 20 } });
    await page.keyboard.press('Delete');
    await count(nodes(), before - 1);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('import into this');
    await page.getByRole('option', { name: 'Import into this draft…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .locator('input[accept=".zip"]')
      .setInputFiles({ name: 'mine.zip', mimeType: 'application/zip', buffer: await archive.body() });
    await dialog.getByRole('listitem').filter({ hasText: 'discard' }).getByText('new').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await count(nodes(), before);
    await dialog.waitFor({ state: 'detached' });
    await canvas().focus();
    await page.keyboard.press('ControlOrMeta+z');
    await count(nodes(), before - 1);
    await page.keyboard.press('ControlOrMeta+z');
    await count(nodes(), before);
  });

  test('a reload shows the same, and what was done before it can be undone', async () => {
    await saved();
    await page.reload();
    await count(nodes(), 3);
    await count(streams(), 2);
    await node('interval').getByText('every 2s').waitFor();
    await canvas().focus();
    await page.keyboard.press('Control+z');
    await node('interval').getByText('every 2s').waitFor({ state: 'detached' });
  });

  test('axe finds nothing that keeps people out', async () => {
    expect(await seriousFindings(page)).toEqual([]);
  });
});

describe('with the keyboard alone', () => {
  test('a pipeline of three nodes is added, joined and named', async () => {
    await newPipeline('By keyboard');
    await canvas().focus();
    for (const type of ['interval', 'filter', 'discard']) {
      await page.keyboard.press('/');
      await page.keyboard.type(type);
      await page.keyboard.press('Enter');
      await node(type).waitFor();
    }
    await count(streams(), 2);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F2');
    await page.keyboard.type('only late ones');
    await page.keyboard.press('Enter');
    await node('only late ones').waitFor();
  });

  test('c joins the active node to a port that is chosen by name', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('union');
    await page.keyboard.press('Enter');
    await count(nodes(), 4);
    await count(streams(), 3);
    await page.keyboard.press('c');
    await page.keyboard.type('discard');
    await page.keyboard.press('Enter');
    await count(streams(), 4);
  });

  test('what is copied is pasted with the streams between', async () => {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+d');
    await count(nodes(), 8);
    await count(streams(), 8);
    await page.keyboard.press('Control+z');
    await count(nodes(), 4);
  });

  test('the page complained of nothing', () => {
    expect(opened.complaints).toEqual([]);
  });
});
