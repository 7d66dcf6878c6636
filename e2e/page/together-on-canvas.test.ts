/** Several things on the canvas, and several people: menus, groups, moved ends, the clipboard, large pipelines. */
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../support/browser.ts';
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

const canvas = (of: Page = page) => of.locator('[data-canvas]');
const nodes = (of: Page = page) => of.locator('.react-flow__node-node');
const streams = () => page.locator('.react-flow__edge');
const node = (name: string, of: Page = page) =>
  nodes(of).filter({ has: of.getByText(name, { exact: true }) });
const group = () => page.locator('.react-flow__node-group');
const item = (name: string) => page.getByRole('menuitem', { name });
const count = async (of: Locator, expected: number) => expect.poll(() => of.count()).toBe(expected);
const spot = async (of: Locator): Promise<readonly [x: number, y: number]> => {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** Sources above each other, one filter behind them, two sinks: in files, so that all of it has its place. */
function files(name: string): Record<string, string> {
  const nodes = {
    n_a: { type: 'injector/interval', name: 'first', config: { every: '1s' } },
    n_b: { type: 'injector/interval', name: 'second', config: { every: '1s' } },
    n_f: { type: 'operator/filter', name: 'sieve', config: { expression: 'true' } },
    n_d: { type: 'sink/discard', name: 'upper', config: {} },
    n_e: { type: 'sink/discard', name: 'lower', config: {} },
  };
  const streams = {
    s_1: { from: ['n_a', 'out'], to: ['n_f', 'in'] },
    s_2: { from: ['n_b', 'out'], to: ['n_f', 'in'] },
    s_3: { from: ['n_f', 'out'], to: ['n_d', 'in'] },
  };
  const at = { n_a: [0, 0], n_b: [16, 128], n_f: [304, 64], n_d: [608, 0], n_e: [608, 160] };
  const places = Object.fromEntries(Object.entries(at).map(([id, place]) => [id, { at: place }]));
  return {
    'pipeline.json': JSON.stringify({ format: 1, name, nodes, streams }),
    'layout.json': JSON.stringify({ nodes: places }),
  };
}

async function made(content: Record<string, unknown>): Promise<string> {
  const answer = await page.request.post(`${server.url}/api/v1/pipelines`, {
    data: content,
    headers: { origin: server.url },
  });
  const { id } = (await answer.json()) as { id: string };
  return `${server.url}/w/w_default/p/${id}`;
}

async function placesOf(...names: readonly string[]): Promise<readonly (readonly [number, number])[]> {
  return Promise.all(names.map((name) => spot(node(name))));
}

describe('menus', () => {
  test('a right click offers what can be done with a node, and its keys', async () => {
    await page.goto(await made({ files: files('With menus') }));
    await count(nodes(), 5);
    await node('sieve').click({ button: 'right', position: { x: 100, y: 30 } });
    await item('Connect to').waitFor();
    await item('Rename').click();
    // The menu gives the focus back before the name takes it.
    await page.locator('.react-flow__node input:focus').waitFor();
    await page.keyboard.type('fine sieve');
    await page.keyboard.press('Enter');
    await node('fine sieve').waitFor();
  });

  test('the keyboard opens the same on the active node, and the canvas has the focus after it', async () => {
    await page.keyboard.press('Shift+F10');
    await item('Duplicate').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-canvas]:focus').waitFor();
    await page.keyboard.press('Control+z');
    await node('sieve').waitFor();
  });

  test('several are aligned and spaced, each in one step', async () => {
    await node('first').click({ position: { x: 100, y: 30 } });
    await node('second').click({ position: { x: 100, y: 30 }, modifiers: ['Shift'] });
    await node('first').click({ button: 'right', position: { x: 100, y: 30 } });
    await item('Align').click();
    await item('Align left').click();
    await expect
      .poll(async () => new Set((await placesOf('first', 'second')).map(([x]) => Math.round(x))).size)
      .toBe(1);
    await page.keyboard.press('Control+z');
    await expect
      .poll(async () => new Set((await placesOf('first', 'second')).map(([x]) => Math.round(x))).size)
      .toBe(2);
  });
});

describe('a stream', () => {
  test('is led to another port by its end, in one step', async () => {
    await page.mouse.move(...(await spot(node('sieve'))));
    const [x, y] = await spot(node('upper').locator('.react-flow__handle.target'));
    await page.mouse.move(x - 20, y);
    await page.mouse.down();
    const [toX, toY] = await spot(node('lower').locator('.react-flow__handle.target'));
    await page.mouse.move(x - 60, y + 40, { steps: 4 });
    await expect
      .poll(() => node('sieve').locator('.react-flow__handle.target').getAttribute('data-fit'))
      .toBe('no');
    await page.mouse.move(toX, toY, { steps: 8 });
    await page.mouse.up();
    await count(streams(), 3);
    await expect
      .poll(() => page.locator('.react-flow__edge[data-id="s_3"] [data-to]').getAttribute('data-to'))
      .toBe('n_e');
    await canvas().focus();
    await page.keyboard.press('Control+z');
    await expect
      .poll(() => page.locator('.react-flow__edge[data-id="s_3"] [data-to]').getAttribute('data-to'))
      .toBe('n_d');
  });
});

describe('a group', () => {
  test('is made and named, closes to one node with the streams that cross it, and moves what is in it', async () => {
    await node('first').click({ position: { x: 100, y: 30 } });
    await node('second').click({ position: { x: 100, y: 30 }, modifiers: ['Shift'] });
    await page.keyboard.press('Control+g');
    await page.keyboard.type('Sources');
    await page.keyboard.press('Enter');
    await group().getByText('Sources').waitFor();
    await page.keyboard.press('g');
    await count(nodes(), 3);
    await group().getByText('2 nodes').waitFor();
    await count(streams(), 3);
    const [x, y] = await spot(group());
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 96, { steps: 6 });
    await page.mouse.up();
    await group().dblclick({ position: { x: 30, y: 50 } });
    await count(nodes(), 5);
    const [[, firstY], [, sieveY]] = (await placesOf('first', 'sieve')) as [
      [number, number],
      [number, number],
    ];
    expect(firstY).toBeGreaterThan(sieveY);
  });

  test('is taken apart, and its nodes stay', async () => {
    await group().getByText('Sources').click({ button: 'right' });
    await item('Ungroup').click();
    await count(group(), 0);
    await count(nodes(), 5);
  });
});

describe('the clipboard', () => {
  test('carries nodes with their streams into another pipeline in another window', async () => {
    const other = await page.context().newPage();
    await other.goto(await made({ name: 'Elsewhere' }));
    await other.getByRole('heading', { name: 'Nothing flows yet' }).waitFor();
    await page.bringToFront();
    await node('sieve').click({ position: { x: 100, y: 30 } });
    await node('upper').click({ position: { x: 100, y: 30 }, modifiers: ['Shift'] });
    await page.keyboard.press('Control+x');
    await count(nodes(), 3);
    await other.bringToFront();
    await canvas(other).focus();
    await other.keyboard.press('Control+v');
    await count(nodes(other), 2);
    await count(other.locator('.react-flow__edge'), 1);
    await other.close();
    await canvas().focus();
    await page.keyboard.press('Control+z');
    await count(nodes(), 5);
  });
});

describe('two people', () => {
  test('see each other point, select and drag', async () => {
    const second = await openPage(browser);
    await second.page.context().addCookies(await page.context().cookies());
    await second.page.goto(page.url());
    await count(nodes(second.page), 5);
    await node('lower').click({ position: { x: 100, y: 30 } });
    await node('lower', second.page).getByText('Ada Mill').waitFor();
    const before = await spot(node('lower', second.page));
    const [x, y] = await spot(node('lower'));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 120, { steps: 6 });
    await expect
      .poll(async () => (await spot(node('lower', second.page)))[1])
      .toBeGreaterThan(before[1] + 60);
    await second.page.locator('[data-client]').getByText('Ada Mill').waitFor();
    await page.mouse.up();
    expect(second.complaints).toEqual([]);
    await second.page.context().close();
  });
});

describe('a large pipeline', () => {
  test('shows a stream under the pointer as one that can be selected, though all are drawn on one canvas', async () => {
    const nodes: Record<string, unknown> = {};
    const streams: Record<string, unknown> = {};
    const places: Record<string, unknown> = {};
    for (let i = 0; i < 100; i++) {
      const isSource = i % 2 === 0;
      nodes[`n_${i}`] = isSource
        ? { type: 'injector/interval', name: `in ${i}`, config: { every: '1s' } }
        : { type: 'sink/discard', name: `out ${i}`, config: {} };
      places[`n_${i}`] = { at: [isSource ? 0 : 600, Math.floor(i / 2) * 96] };
      if (!isSource) streams[`s_${i}`] = { from: [`n_${i - 1}`, 'out'], to: [`n_${i}`, 'in'] };
    }
    for (let i = 1; i < 40; i += 2)
      streams[`t_${i}`] = { from: [`n_${i - 1}`, 'out'], to: [`n_${i + 2}`, 'in'] };
    const address = await made({
      files: {
        'pipeline.json': JSON.stringify({ format: 1, name: 'Large', nodes, streams }),
        'layout.json': JSON.stringify({ nodes: places }),
      },
    });
    await page.goto(address);
    await count(page.locator('.react-flow__node-node'), 100);
    await count(page.locator('.react-flow__edge'), 0);
    await page
      .getByRole('button', { name: 'in 98' })
      .or(node('in 98'))
      .first()
      .waitFor({ state: 'attached' });
    const from = await page.locator('.react-flow__node[data-id="n_98"]').boundingBox();
    const to = await page.locator('.react-flow__node[data-id="n_99"]').boundingBox();
    if (from === null || to === null) throw new Error('they are not on the page');
    const [x, y] = [(from.x + from.width + to.x) / 2, from.y + from.height / 2];
    await page.mouse.move(x - 3, y);
    await page.mouse.move(x, y);
    await count(page.locator('.react-flow__edge[data-id="s_99"]'), 1);
    await page.mouse.click(x, y);
    await page
      .getByRole('complementary', { name: 'Inspector' })
      .getByText(/^Stream · /)
      .waitFor();
  });

  test('the page complained of nothing', () => {
    expect(opened.complaints).toEqual([]);
  });
});
