/** What tests of the page do in the editor, as people do it: with the mouse, with keys. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD, type Served } from './served.ts';

const STEPS = 8;
/** A version is checked and built first: on a busy machine that takes its time. */
const BUILT_WITHIN_MS = 60_000;
/** A view has fewer stops for Tab than this. */
const MOST_TABS = 120;

export async function makeOwner(page: Page, server: Served, email = 'owner@example.org'): Promise<void> {
  await page.goto(`${server.url}/setup#${server.ownerSecret}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill('Ada Mill');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account', exact: true }).click();
  await page.getByRole('heading', { name: 'Draw your first pipeline' }).waitFor();
}

export interface Drawing {
  readonly canvas: Locator;
  readonly nodes: Locator;
  readonly streams: Locator;
  readonly node: (name: string) => Locator;
  /**
   * Where the drawer hides it, a mouse that goes there would scroll it up, and the canvas scrolls back under the mouse.
   */
  readonly show: (name: string) => Promise<Locator>;
  readonly saved: () => Promise<void>;
  /** From the palette to a place on the canvas. */
  readonly drop: (type: string, x: number, y: number) => Promise<void>;
  readonly join: (from: string, to: string) => Promise<void>;
  /** By the handle at its middle; hands back when the mouse was let go, wall ms. */
  readonly move: (name: string, dx: number, dy: number) => Promise<number>;
  readonly openCode: (name: string) => Promise<void>;
  /** All of the open code. */
  readonly writeCode: (text: string) => Promise<void>;
  readonly code: () => Promise<string>;
  readonly deploy: (version: number) => Promise<void>;
}

export function drawing(page: Page): Drawing {
  const canvas = page.locator('[data-canvas]');
  const nodes = page.locator('.react-flow__node-node');
  const node = (name: string) => nodes.filter({ has: page.getByText(name, { exact: true }) });
  const port = (name: string, side: 'source' | 'target') =>
    node(name).locator(`.react-flow__handle.${side}`).first();
  const lines = page.locator('.monaco-editor .view-lines');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const isInView = async (name: string): Promise<boolean> => {
    const [of, around] = await Promise.all([node(name).boundingBox(), canvas.boundingBox()]);
    if (of === null || around === null) return false;
    const [right, bottom] = [around.x + around.width, around.y + around.height];
    return of.x >= around.x && of.y >= around.y && of.x + of.width <= right && of.y + of.height <= bottom;
  };
  const show = async (name: string): Promise<Locator> => {
    if (!(await isInView(name))) await button('Show all').click();
    await expect.poll(() => isInView(name)).toBe(true);
    return node(name);
  };
  return {
    canvas,
    nodes,
    streams: page.locator('.react-flow__edge'),
    node,
    show,
    saved: () => page.getByText('Saved', { exact: true }).waitFor(),
    async drop(type, x, y) {
      const entry = page.getByLabel('Palette').getByRole('button', { name: type, exact: true }).first();
      await entry.dragTo(canvas, { targetPosition: { x, y } });
    },
    async join(from, to) {
      await show(from);
      await show(to);
      // A port that its code has not told of yet shows itself only to who points at its node.
      await node(from).hover();
      await port(from, 'source').hover();
      await drag(page, await middle(port(from, 'source')), await middle(port(to, 'target')));
    },
    async move(name, dx, dy) {
      const [x, y] = await middle(node(name));
      await drag(page, [x, y], [x + dx, y + dy]);
      return Date.now();
    },
    async openCode(name) {
      await (await show(name)).dblclick({ position: { x: 60, y: 14 } });
      // Of this node: until it is there, the code that was open before still is.
      const region = page.getByRole('region', { name: `Code of ${name}`, exact: true });
      await region.locator('.view-line').first().waitFor();
    },
    async writeCode(text) {
      await lines.click();
      await page.keyboard.press('ControlOrMeta+a');
      // Typed letter by letter, the editor would close brackets and indent lines by itself.
      await page.keyboard.insertText(text);
    },
    code: async () => ((await lines.textContent()) ?? '').replace(/\u00a0/g, ' '),
    async deploy(version) {
      await button('Deploy').click();
      await button('Check and plan').click();
      await button(`Deploy version ${version}`).click({ timeout: BUILT_WITHIN_MS });
      await runs(page);
    },
  };
}

/** What is deployed, told in the dialog that is open; it is closed. */
export async function runs(page: Page): Promise<void> {
  await page.getByText(/^Version \d+ runs\.$/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

type Point = readonly [x: number, y: number];

async function middle(of: Locator): Promise<Point> {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: STEPS });
  await page.mouse.up();
}

/** Goes on with Tab until the focus is there, as who has no mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ timeout: BUILT_WITHIN_MS });
  for (let i = 0; i < MOST_TABS; i++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}

export const count = (of: Locator, expected: number): Promise<void> =>
  expect.poll(() => of.count()).toBe(expected);
