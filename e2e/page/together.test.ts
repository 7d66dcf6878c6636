/** Two people in one draft, each in a browser of their own: what one does the other sees, also after a cut. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { type Cuttable, cuttable } from '../support/cuttable.ts';
import { count, type Drawing, drawing } from '../support/drawing.ts';
import { productInBrowser } from '../support/product.ts';
import { type Caller, join, type Served, setUp } from '../support/served.ts';

const code = (outputs: string, body: string): string => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { ${outputs} }

export default computation<Inputs, Outputs>({
  processRecord(_record, ctx) {
    ${body}
  },
});
`;
const PIPELINE = {
  format: 1,
  name: 'Together',
  nodes: {
    n_in: { type: 'injector/interval', name: 'ticks', config: { every: '1s' } },
    n_pass: { type: 'code', name: 'pass', code: 'nodes/pass.ts' },
    n_twice: { type: 'code', name: 'twice', code: 'nodes/twice.ts' },
    n_out: { type: 'sink/discard', name: 'end' },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_pass', 'in'] },
    s_mid: { from: ['n_pass', 'n'], to: ['n_twice', 'in'] },
    s_out: { from: ['n_twice', 'n'], to: ['n_out', 'in'] },
  },
};
const LAYOUT = {
  nodes: {
    n_in: { at: [0, 0] },
    n_pass: { at: [280, 0] },
    n_twice: { at: [0, 160] },
    n_out: { at: [280, 160] },
  },
};
const FILES = {
  'pipeline.json': JSON.stringify(PIPELINE),
  'layout.json': JSON.stringify(LAYOUT),
  'nodes/pass.ts': code('n: { n: number }', "ctx.produce('n', { n: 1 });"),
  'nodes/twice.ts': code('n: { n: number }', "ctx.produce('n', { n: 2 });"),
};
const CUT_MS = 10_000;
/** What people take for at once. It is printed, not demanded: a busy machine is no failure. */
const AT_ONCE_MS = 500;

const product = productInBrowser();
let browser: Browser;
let server: Served;
let way: Cuttable;
let owner: Caller;
let pipeline: string;
let [one, two] = [] as unknown as [Page, Page];
let [ada, ben] = [] as unknown as [Drawing, Drawing];

beforeAll(async () => {
  ({ server, browser } = await product.start());
  way = await cuttable(server.url);
  owner = await setUp(server);
  const editor = await join(owner, 'editor', 'ben@example.org');
  pipeline = (await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: FILES })).id;
  one = await enter(owner, server.url);
  two = await enter(editor, way.url);
  [ada, ben] = [drawing(one), drawing(two)];
});
afterAll(() => way?.close());

async function enter({ headers }: Caller, url: string): Promise<Page> {
  const { page } = await openPage(browser);
  const [name = '', value = ''] = (headers.cookie ?? '').split('=');
  await page.context().addCookies([{ name, value, url }]);
  await page.goto(`${url}/w/w_default/p/${pipeline}`);
  await page.getByText('Saved', { exact: true }).waitFor();
  return page;
}

const draftText = async (path: string) =>
  (await owner.done<{ files: Record<string, string> }>('GET', `/api/v1/pipelines/${pipeline}/draft`)).files[
    path
  ];
const place = (page: Page, id: string) =>
  page
    .locator(`.react-flow__node[data-id="${id}"]`)
    .getAttribute('style')
    .then((style) => /translate\([^)]*\)/.exec(style ?? '')?.[0]);

/** Looks often, so that the time is that of the product and not of the looking. */
async function seen(
  what: string,
  look: () => Promise<unknown>,
  expected: unknown,
  from = Date.now(),
): Promise<void> {
  await expect.poll(look, { interval: 10 }).toEqual(expected);
  const ms = Date.now() - from;
  console.info(`${what} was seen by the other after ${ms} ms${ms > AT_ONCE_MS ? ': slow' : ''}`);
}

describe('two people', () => {
  test('see a move, a setting and a typed line of each other', async () => {
    const letGo = await ada.move('ticks', 30, 60);
    const moved = await place(one, 'n_in');
    await seen('a move', () => place(two, 'n_in'), moved, letGo);
    await ada.node('ticks').click({ position: { x: 100, y: 30 } });
    await one.getByLabel('Every', { exact: true }).fill('3s');
    await seen('a setting', () => ben.node('ticks').getByText('every 3s').count(), 1);
    await ada.openCode('pass');
    await ben.openCode('pass');
    await one.locator('.monaco-editor .view-lines').click();
    await one.keyboard.press('ControlOrMeta+Home');
    await one.keyboard.type('// a line');
    await seen('a typed line', async () => (await ben.code()).includes('// a line'), true);
  });

  test('both go on through a cut of ten seconds, and agree afterwards', async () => {
    const over = Date.now() + CUT_MS;
    way.cut();
    await two.locator('.monaco-editor .view-lines').click();
    await two.keyboard.press('ControlOrMeta+End');
    await two.keyboard.type('// typed while away');
    await (await ada.show('end')).click({ position: { x: 100, y: 30 } });
    await one.getByLabel('Inspector').getByLabel('Name').fill('renamed');
    await one.keyboard.press('Enter');
    await two.getByText('Reconnecting', { exact: false }).waitFor();
    await two.waitForTimeout(Math.max(0, over - Date.now()));
    expect(await draftText('nodes/pass.ts')).not.toContain('typed while away');
    way.mend();
    await ben.node('renamed').waitFor();
    await expect.poll(() => draftText('nodes/pass.ts')).toContain('// typed while away');
    await ben.saved();
    await ada.openCode('pass');
    await expect.poll(() => ada.code()).toContain('// typed while away');
  });

  test('a node one deletes while the other types in it comes back whole by undo', async () => {
    await ben.openCode('twice');
    await two.locator('.monaco-editor .view-lines').click();
    await two.keyboard.press('ControlOrMeta+Home');
    await two.keyboard.type('// typed ');
    await expect.poll(() => draftText('nodes/twice.ts')).toContain('// typed');
    await (await ada.show('twice')).click({ position: { x: 100, y: 30 } });
    const typing = two.keyboard.type('on and on', { delay: 20 });
    await ada.canvas.focus();
    await one.keyboard.press('Delete');
    await typing;
    await count(ben.nodes, 3);
    await ada.canvas.focus();
    await one.keyboard.press('ControlOrMeta+z');
    await count(ada.nodes, 4);
    await count(ben.nodes, 4);
    await count(ben.streams, 3);
    await expect
      .poll(() => draftText('nodes/twice.ts'))
      .toMatch(/^\/\/ typed [\s\S]*produce\('n', \{ n: 2 \}\)/);
  });
});
