/**
 * From the owner's link to a pipeline that runs, with the mouse and with the keyboard alone, on plain http at an
 * address of the network: what browsers allow only on https or on the own machine is not needed.
 */
import { networkInterfaces } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { count, type Drawing, drawing, makeOwner, runs, tabTo } from '../support/drawing.ts';
import { productInBrowser } from '../support/product.ts';
import type { Served } from '../support/served.ts';

const producer = (type: string, value: string): string => `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { out: { n: ${type} } }

export default computation<Inputs, Outputs>({
  processRecord(_record, ctx) {
    ctx.produce('out', { n: ${value} });
  },
});
`;
const consumer = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export default computation<Inputs, Record<string, never>>({
  processRecord(record, ctx) {
    ctx.count('seen', record.value.n * 2);
  },
});
`;

const product = productInBrowser();
let browser: Browser;
let server: Served;
let opened: OpenPage;
let page: Page;
let draw: Drawing;

/** One of this machine that others could reach it by; a machine without a network has its own only. */
function address(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

beforeAll(async () => {
  ({ server, browser } = await product.start({ args: ['--host', address()] }));
  opened = await openPage(browser);
  page = opened.page;
  draw = drawing(page);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const problem = () => page.getByRole('button', { name: /arithmetic operation/ });

async function setEvery(every: string): Promise<void> {
  await draw.node('interval').click({ position: { x: 100, y: 30 } });
  await page.getByLabel('Every', { exact: true }).fill(every);
  await draw.node('interval').getByText(`every ${every}`).waitFor();
}

async function showProblems(): Promise<void> {
  await page.getByRole('tab', { name: /Problems/ }).click();
}

describe('with the mouse', () => {
  test('the owner’s link leads to a new pipeline, drawn of three nodes', async () => {
    await makeOwner(page, server);
    await button('New pipeline').click();
    await page.getByRole('menuitem', { name: 'Blank' }).click();
    await page.getByRole('heading', { name: 'Nothing flows yet' }).waitFor();
    await draw.drop('Interval', 140, 200);
    await draw.drop('Code', 380, 200);
    await count(draw.nodes, 2);
    await draw.drop('Code', 620, 240);
    await count(draw.nodes, 3);
    await draw.join('interval', 'code');
    await count(draw.streams, 1);
    await setEvery('500ms');
  });

  test('a producer’s changed outputs are an error in its consumer, until they are mended', async () => {
    await draw.openCode('code');
    await draw.writeCode(producer('number', '1'));
    await draw.join('code', 'code 2');
    await count(draw.streams, 2);
    await draw.openCode('code 2');
    await draw.writeCode(consumer);
    await showProblems();
    await page.getByText('No problems: graph and code are sound.').waitFor();
    await draw.openCode('code');
    await draw.writeCode(producer('string', "'one'"));
    await showProblems();
    await problem().waitFor();
    await draw.openCode('code');
    await draw.writeCode(producer('number', '2'));
    await showProblems();
    await page.getByText('No problems: graph and code are sound.').waitFor();
  });

  test('it runs, a reload shows the same, and the last edit can still be undone', async () => {
    await draw.saved();
    await draw.deploy(1);
    await setEvery('2s');
    await draw.saved();
    await page.reload();
    await count(draw.nodes, 3);
    await count(draw.streams, 2);
    await page.getByText('Running', { exact: true }).first().waitFor();
    await draw.node('interval').getByText('every 2s').waitFor();
    await draw.canvas.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await draw.node('interval').getByText('every 500ms').waitFor();
  }, 120_000);
});

describe('with the keyboard alone', () => {
  test('a pipeline of three nodes is made of nothing, and runs', async () => {
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Pipelines', exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByPlaceholder('Do something, go somewhere').waitFor();
    await page.keyboard.type('New pipeline');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing flows yet' }).waitFor();
    await tabTo(page, draw.canvas);
    for (const type of ['interval', 'union', 'discard']) {
      await page.keyboard.press('/');
      await page.keyboard.type(type);
      await page.keyboard.press('Enter');
      await draw.node(type).waitFor();
    }
    await count(draw.streams, 2);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const every = page.getByLabel('Every', { exact: true });
    await tabTo(page, every);
    await page.keyboard.type('1s');
    await tabTo(page, button('Deploy'));
    await page.keyboard.press('Enter');
    for (const name of ['Check and plan', 'Deploy version 1']) {
      await tabTo(page, button(name));
      await page.keyboard.press('Enter');
    }
    await runs(page);
  }, 120_000);
});

describe('everybody', () => {
  test.each(['light', 'dark'] as const)('finds nothing in the way in the editor: %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Afresh: colours that are on their way from one scheme to the other are nobody's.
    await page.reload();
    await draw.node('interval').click({ position: { x: 100, y: 30 } });
    expect(await seriousFindings(page)).toEqual([]);
    await draw.canvas.focus();
    for (const key of ['/', 'c']) {
      await page.keyboard.press(key);
      await page.getByRole('listbox').waitFor();
      expect([key, ...(await seriousFindings(page))]).toEqual([key]);
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    }
    await button('Deploy').click();
    await button('Check and plan').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Cancel').click();
    await button('Versions').click();
    await page.getByLabel('Canvas of Draft').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Back to the draft').click();
    await count(draw.nodes, 3);
  });

  test('and the page complained of nothing', () => {
    expect(opened.complaints).toEqual([]);
  });
});
