/** A line of *Web requests* that throws, from the page: its dead letters, the fix, the redrive, and totals that are exact. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { postUntilTaken } from '../support/posting.ts';
import { productInBrowser, signIn } from '../support/product.ts';
import { sample } from '../support/samples.ts';
import {
  type Caller,
  deploymentOf,
  join,
  makeToken,
  publishAndDeploy,
  type Served,
  setUp,
} from '../support/served.ts';
import { lookInto } from '../support/served-database.ts';

const EMAIL = 'owner@example.org';
const THROWS = "if (ms < 0) throw new Error('time runs backwards');";
const REQUESTS = 12;

/** The sample, its routes told with a line that throws. */
function files(): Record<string, string> {
  const { pipeline, code } = sample('web-requests');
  const routes = String(code['nodes/routes.ts']).replace(
    /=> \(\{([\s\S]*)\}\)\);\n$/,
    (_, body) => `=> {\n  ${THROWS}\n  return {${body}};\n});\n`,
  );
  expect(routes).toContain(THROWS);
  return { 'pipeline.json': JSON.stringify(pipeline), ...code, 'nodes/routes.ts': routes };
}

/** Every fourth tells a time below zero. */
const request = (i: number, at: string) =>
  `${JSON.stringify({ at, method: 'GET', path: `/users/${i}`, status: 200, ms: i % 4 === 0 ? -1 : 10 })}\n`;
/** A check and a build, beside whatever else the machine does. */
const BUILD_MS = 55_000;

const product = productInBrowser();
let browser: Browser;
let server: Served;
let owner: Caller;
let opened: OpenPage;
let page: Page;
let pipeline: string;
let url: string;
let token: string;

beforeAll(async () => {
  ({ server, browser } = await product.start());
  owner = await setUp(server, EMAIL);
  ({ id: pipeline } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: files() }));
  url = `${server.url}/w/w_default/p/${pipeline}`;
  await publishAndDeploy(owner, pipeline);
  await vi.waitFor(async () => expect((await deploymentOf(owner, pipeline)).observed.state).toBe('running'), {
    timeout: BUILD_MS,
    interval: 200,
  });
  ({ token } = await makeToken(owner, ['ingest']));
  await post('one', Array.from({ length: REQUESTS }, (_, i) => request(i, '2026-01-01T12:00:05Z')).join(''));
  opened = await openPage(browser);
  page = opened.page;
  await signIn(page, server, EMAIL);
  await page.goto(url);
  await page.getByText('Saved', { exact: true }).waitFor();
}, 180_000);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const openDrawer = async (on: Page): Promise<void> => {
  await on.getByRole('button', { name: 'Drawer', exact: true }).click();
  await on.getByRole('tab', { name: 'Dead letters' }).click();
};
const post = (key: string, text: string): Promise<unknown> =>
  postUntilTaken({ url: `${server.url}/in/${pipeline}/requests`, token }, { key, text });
/** What the sample's table says of the minute that the requests were of. */
const told = (): Promise<unknown> =>
  lookInto(
    product.path,
    `select sum(requests)::int as requests, sum(mean_ms * requests)::int as ms from data.web_requests
     where minute = '2026-01-01T12:00:00Z'`,
  );

describe('dead letters', () => {
  test('a line that throws makes one group, which shows the input of each letter', async () => {
    await openDrawer(page);
    const causes = page.getByRole('list', { name: 'Causes' });
    await causes.getByRole('button', { name: /^3 .*time runs backwards.*routes/ }).waitFor();
    await page.getByRole('region', { name: 'Input' }).getByText('ms', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Stack' })
      .getByText(/nodes\/routes\.ts:7/)
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('of a stopped pipeline they are redriven by a run for them alone; unmended they are there again', async () => {
    const about = `/api/v1/pipelines/${pipeline}/deployment`;
    const state = async () => (await deploymentOf(owner, pipeline)).observed.state;
    await owner.done('POST', `${about}/stop`, {});
    await expect.poll(state).toBe('stopped');
    await page.getByTitle(/^Delivers each exactly once, through the version that ran last/).click();
    await page.getByText('3 delivered again').waitFor();
    await expect.poll(state).toBe('stopped');
    await page.getByText(/redriven 1 times before$/).waitFor();
    await button('Redrive all 3').waitFor();
    await owner.done('POST', `${about}/start`, {});
    await expect.poll(state, { timeout: BUILD_MS }).toBe('running');
  });

  test('fixed at the line it leads to, deployed and redriven, none is left and every total is exact', async () => {
    await page.getByRole('button', { name: /^Open nodes\/routes\.ts:7/ }).click();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await page.locator('.monaco-editor').getByText("'time runs backwards'", { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.type('// ');
    await expect
      .poll(async () => {
        const { files } = await owner.done<{ files: Record<string, string> }>(
          'GET',
          `/api/v1/pipelines/${pipeline}/draft`,
        );
        return files['nodes/routes.ts'];
      })
      .toContain(`// ${THROWS}`);
    // The draft's line is another by now: the one that failed is in the version that did.
    await page.getByRole('tab', { name: 'Dead letters 3' }).click();
    await button('Open nodes/routes.ts:7 in v1').click();
    await page.locator('.monaco-editor').getByText("'time runs backwards'", { exact: true }).waitFor();
    expect(
      await page
        .locator('.monaco-editor')
        .getByText(/^\s*\/\/\s/)
        .count(),
    ).toBe(0);
    await page.goBack();
    await button('Deploy').click();
    await button('Check and plan').click();
    await page.getByRole('list', { name: 'Plan' }).waitFor({ timeout: BUILD_MS });
    await button('Deploy version 2').click();
    await page.getByText('Version 2 runs.').waitFor({ timeout: BUILD_MS });
    await button('Close').last().click();
    await page.getByRole('tab', { name: 'Dead letters' }).click();
    await button('Redrive all 3').click();
    await page.getByText('3 delivered again').waitFor();
    await page.getByRole('heading', { name: 'No dead letters' }).waitFor();
    await page.getByRole('tab', { name: 'Dead letters', exact: true }).waitFor();
    await expect.poll(() => page.locator('[data-badge=dead]:visible').count()).toBe(0);
    // One of a later time: the minute is over, and told.
    await post('later', request(1, '2026-01-01T12:09:00Z'));
    await expect.poll(told).toEqual([{ requests: REQUESTS, ms: 9 * 10 - 3 }]);
    expect(opened.complaints).toEqual([]);
  });

  test('who may not see data is told why there is nothing, and nothing is asked for', async () => {
    await join(owner, 'viewer', 'viewer@example.org');
    const { page: theirs } = await openPage(browser);
    const asked: string[] = [];
    theirs.on('request', (request) => void asked.push(request.url()));
    await signIn(theirs, server, 'viewer@example.org');
    await theirs.goto(url);
    await openDrawer(theirs);
    await theirs.getByText(/your role does not include seeing data/).waitFor();
    // How many there are is all they are told.
    expect(asked.filter((each) => /dead-letter(?!-counts)/.test(each))).toEqual([]);
  });
});
