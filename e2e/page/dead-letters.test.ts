/** A line that throws, from the page: its dead letters, the fix, the redrive, and totals that are exact. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpenPage, openBrowser, openPage, seriousFindings } from '../support/browser.ts';
import { sharedData } from '../support/folders.ts';
import { postUntilTaken } from '../support/posting.ts';
import {
  type Caller,
  deploymentOf,
  join,
  makeToken,
  PASSWORD,
  publishAndDeploy,
  type Served,
  serve,
  setUp,
} from '../support/served.ts';

const EMAIL = 'owner@example.org';
const THROWS = "if (record.value.n % 5 === 0) throw new Error('no fives');";
const CODE = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { n: { n: number } }

export default computation<Inputs, Outputs, { seen: number }>({
  processRecord(record, ctx) {
    ${THROWS}
    ctx.produce('n', { n: record.value.n });
  },
});
`;
const FILES = {
  'pipeline.json': JSON.stringify({
    format: 1,
    name: 'Fives',
    nodes: {
      n_in: { type: 'injector/http', name: 'posted', config: { type: '{ n: number }' } },
      n_check: { type: 'code', name: 'check', code: 'nodes/check.ts' },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      s_in: { from: ['n_in', 'out'], to: ['n_check', 'in'], keyBy: 'value.n' },
      s_out: { from: ['n_check', 'n'], to: ['n_out', 'in'] },
    },
  }),
  'layout.json': JSON.stringify({
    nodes: { n_in: { at: [0, 0] }, n_check: { at: [280, 0] }, n_out: { at: [560, 0] } },
  }),
  'nodes/check.ts': CODE,
};
/** A check and a build, beside whatever else the machine does. */
const BUILD_MS = 55_000;

const data = sharedData();
let end: (() => Promise<void>) | undefined;
let browser: Browser;
let server: Served;
let owner: Caller;
let opened: OpenPage;
let page: Page;
let pipeline: string;
let url: string;

beforeAll(async () => {
  server = await serve(data.path, {
    atEnd: (how) => {
      end = how;
    },
  });
  owner = await setUp(server, EMAIL);
  ({ id: pipeline } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: FILES }));
  url = `${server.url}/w/w_default/p/${pipeline}`;
  await publishAndDeploy(owner, pipeline);
  await vi.waitFor(async () => expect((await deploymentOf(owner, pipeline)).observed.state).toBe('running'), {
    timeout: BUILD_MS,
    interval: 200,
  });
  const { token } = await makeToken(owner, ['ingest']);
  const lines = Array.from({ length: 12 }, (_, n) => `{"n":${n}}\n`).join('');
  await postUntilTaken({ url: `${server.url}/in/${pipeline}/posted`, token }, { key: 'one', text: lines });
  browser = await openBrowser();
  opened = await openPage(browser);
  page = opened.page;
  await signIn(page, EMAIL);
  await page.goto(url);
  await page.getByText('Saved', { exact: true }).waitFor();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  server?.kill('SIGTERM');
  await server?.ended;
  await end?.();
});

async function signIn(on: Page, email: string): Promise<void> {
  const answer = await on.request.post(`${server.url}/api/v1/login`, {
    data: { email, password: PASSWORD },
    headers: { origin: server.url },
  });
  expect(answer.status()).toBeLessThan(300);
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const openDrawer = async (on: Page): Promise<void> => {
  await on.getByRole('button', { name: 'Drawer', exact: true }).click();
  await on.getByRole('tab', { name: 'Dead letters' }).click();
};
interface Live {
  readonly progress: { readonly nodes: readonly { readonly node: string; readonly in?: number }[] } | null;
}
const arrived = async (): Promise<number | undefined> =>
  (await owner.done<Live>('GET', `/api/v1/pipelines/${pipeline}/live`)).progress?.nodes.find(
    ({ node }) => node === 'n_out',
  )?.in;

describe('dead letters', () => {
  test('a line that throws makes one group, which shows the input of each letter', async () => {
    await openDrawer(page);
    const causes = page.getByRole('list', { name: 'Causes' });
    await causes.getByRole('button', { name: /^3 .*no fives.*check/ }).waitFor();
    await page.getByRole('region', { name: 'Input' }).getByText('n', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Stack' })
      .getByText(/nodes\/check\.ts:8/)
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('fixed at the line it leads to, deployed and redriven, none is left and every total is exact', async () => {
    await page.getByRole('button', { name: /^Open nodes\/check\.ts:8/ }).click();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await page.locator('.monaco-editor').getByText("'no fives'", { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.type('// ');
    await expect
      .poll(async () => {
        const { files } = await owner.done<{ files: Record<string, string> }>(
          'GET',
          `/api/v1/pipelines/${pipeline}/draft`,
        );
        return files['nodes/check.ts'];
      })
      .toContain(`// ${THROWS}`);
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
    await expect.poll(arrived).toBe(12);
    expect(opened.complaints).toEqual([]);
  });

  test('who may not see data is told why there is nothing, and nothing is asked for', async () => {
    await join(owner, 'viewer', 'viewer@example.org');
    const { page: theirs } = await openPage(browser);
    const asked: string[] = [];
    theirs.on('request', (request) => void asked.push(request.url()));
    await signIn(theirs, 'viewer@example.org');
    await theirs.goto(url);
    await openDrawer(theirs);
    await theirs.getByText(/your role does not include seeing data/).waitFor();
    expect(asked.filter((each) => each.includes('dead-letter'))).toEqual([]);
  });
});
