/** What flows, what is stored and what the code says, from the page of a pipeline that runs. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { drawing } from '../support/drawing.ts';
import { productInBrowser, signIn } from '../support/product.ts';
import { type Caller, deploymentOf, join, publishAndDeploy, type Served, setUp } from '../support/served.ts';

const EMAIL = 'owner@example.org';
const CODE = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { n: { n: number; big: bigint } }

export default computation<Inputs, Outputs, { seen: number }>({
  processRecord(record, ctx) {
    const seen = (ctx.state.get()?.seen ?? 0) + 1;
    ctx.state.set({ seen });
    if (seen % 5 === 1) ctx.log.warn('seen so often', seen);
    ctx.produce('n', { n: record.value.n, big: 9007199254740993n });
  },
});
`;
const FILES = {
  'pipeline.json': JSON.stringify({
    format: 1,
    name: 'Watched',
    nodes: {
      n_in: {
        type: 'injector/generator',
        name: 'numbers',
        config: { value: '{ n }', type: '{ n: number }', rate: 6 },
      },
      n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      s_in: { from: ['n_in', 'out'], to: ['n_count', 'in'], keyBy: "'key-' + (value.n % 7)" },
      s_out: { from: ['n_count', 'n'], to: ['n_out', 'in'] },
    },
  }),
  'layout.json': JSON.stringify({
    nodes: { n_in: { at: [0, 0] }, n_count: { at: [280, 0] }, n_out: { at: [560, 0] } },
  }),
  'nodes/count.ts': CODE,
};
/** A call that does not come back until something outside answers: here another record. */
const HOLDS = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export type Outputs = { n: number };
let answered = (): void => {};

export default computation<Inputs, Outputs>({
  async processRecord({ value }, ctx) {
    if (value.do === 'call') await new Promise<void>((done) => void (answered = done));
    if (value.do === 'answer') answered();
    ctx.produce('n', value.at);
  },
});
`;
const SOURCES = ['north', 'south', 'west'];
const STALLING = {
  'pipeline.json': JSON.stringify({
    format: 1,
    name: 'Stalling',
    nodes: {
      ...Object.fromEntries(
        SOURCES.map((name) => [
          `n_${name}`,
          {
            type: 'injector/http',
            name,
            config: {
              type: '{ at: number; k: string; do?: string }',
              timestamp: 'value.at',
              idleTimeout: 'off',
            },
          },
        ]),
      ),
      n_hold: { type: 'code', name: 'ask outside', code: 'nodes/hold.ts' },
      n_out: { type: 'sink/discard', name: 'out' },
    },
    streams: {
      ...Object.fromEntries(
        SOURCES.map((name) => [
          `s_${name}`,
          { from: [`n_${name}`, 'out'], to: ['n_hold', 'in'], keyBy: 'value.k' },
        ]),
      ),
      s_out: { from: ['n_hold', 'n'], to: ['n_out', 'in'] },
    },
  }),
  'nodes/hold.ts': HOLDS,
};
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

beforeAll(async () => {
  ({ server, browser } = await product.start());
  owner = await setUp(server, EMAIL);
  ({ id: pipeline } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: FILES }));
  url = `${server.url}/w/w_default/p/${pipeline}`;
  await publishAndDeploy(owner, pipeline);
  await vi.waitFor(async () => expect((await deploymentOf(owner, pipeline)).observed.state).toBe('running'), {
    timeout: BUILD_MS,
    interval: 200,
  });
  opened = await openPage(browser);
  page = opened.page;
  await signIn(page, server, EMAIL);
  await page.goto(url);
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Drawer', exact: true }).click();
}, 180_000);

const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

describe('watching', () => {
  test('records of what is selected are shown as they go by, each with all its digits', async () => {
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByText('Select a stream or a node').waitFor();
    await node('n_out').click();
    const list = page.getByRole('listbox', { name: /^Records/ });
    await list.getByRole('option').first().waitFor();
    // By key: what one would click at runs on.
    await list.press('ArrowUp');
    await page.getByRole('region', { name: 'Value' }).getByText('9007199254740993').waitFor();
    await page.getByText(/^paused · [\d,]+ went by$/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await page.getByText(/^\d+ of [\d.]+( k)?\/s$/).waitFor();
  });

  test('a record leads to what it was made of, to what was made of that, and back', async () => {
    const list = page.getByRole('listbox', { name: /^Records/ });
    await list.getByRole('option').first().waitFor();
    await list.press('End');
    await page.getByText('It went out at out.').waitFor();
    await page
      .getByRole('region', { name: 'Came from' })
      .getByRole('button', { name: /^numbers → count/ })
      .click();
    await page.getByText('It came in at numbers.').waitFor();
    await page
      .getByRole('region', { name: 'Made of it' })
      .getByRole('button', { name: /^count → out.*9007199254740993/ })
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the record before' }).click();
    await page.getByText('It went out at out.').waitFor();
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
  });

  test('a filter shows only what fits it, with the help code has; one that is wrong says what is, at its place', async () => {
    const records = page.getByRole('region', { name: 'Records' });
    const field = records.locator('.monaco-editor').first();
    await field.waitFor();
    await field.click();
    const write = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    };
    await write('value.');
    await page.locator('.suggest-widget').getByText('big', { exact: true }).waitFor();
    await write('value.n % 2 === 0');
    await page.keyboard.press('Enter');
    const options = page.getByRole('listbox', { name: /^Records/ }).getByRole('option');
    const odd = async (): Promise<string[]> =>
      (await options.allTextContents()).filter((text) => !/"n":\d*[02468],/.test(text));
    await expect.poll(async () => (await options.count()) > 0 && (await odd())).toEqual([]);
    await write('value.wrong > 1');
    await records.locator('.squiggly-error').waitFor();
    await write('value.n %');
    await page.keyboard.press('Enter');
    await records.getByRole('alert').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('what the code logs stands with its node and leads to its line', async () => {
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page
      .getByText(/^seen so often/)
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /^Open count\.ts:10/ })
      .first()
      .click();
    await page.locator('.monaco-editor').getByText("'seen so often'").waitFor();
    // Behind the line stands how often and what it logged last, which leads to the lines of its log.
    await page
      .locator('.monaco-editor')
      .getByText(/\d+\s×\sseen\sso\soften\s\d+/)
      .click();
    await page.getByRole('button', { name: 'count.ts:10 only' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'count.ts:10 only' }).count()).toBe(0);
    await node('n_count').click();
    await page
      .getByRole('button', { name: /^\d+ lines? · \d+ warnings?$/ })
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('keys of a computation are found by how they begin, with what is stored of each', async () => {
    await node('n_count').click();
    await page.getByRole('tab', { name: 'State' }).click();
    const keys = page.getByRole('list', { name: 'Keys' }).getByRole('button');
    await expect.poll(() => keys.count()).toBe(7);
    await keys
      .getByText(/^changed (just now|\d+ s ago)/)
      .first()
      .waitFor();
    await page.getByRole('radio', { name: 'Biggest' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Biggest' }).getByRole('button').count()).toBe(7);
    await page.getByRole('radiogroup', { name: 'Which keys' }).getByRole('radio', { name: 'All' }).click();
    await page.getByRole('textbox', { name: 'Keys that begin with' }).fill('key-3');
    await expect.poll(() => keys.count()).toBe(1);
    await keys.click();
    await page.getByRole('region', { name: 'Value' }).getByText('seen').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  test('a record that flowed is tried on the code as it is typed, and becomes a test', async () => {
    await node('n_count').click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit code' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    const tried = page.getByRole('region', { name: 'Try it' });
    await tried.getByRole('button', { name: 'Pick records' }).last().click();
    await tried.getByRole('list', { name: 'Records of the inputs' }).getByRole('button').first().click();
    await tried.getByText(/^ran in [\d.]+ ms$/).waitFor();
    await tried.getByText('9007199254740993').waitFor();
    await tried.getByRole('textbox', { name: 'Value' }).fill('{ "n": 4711 }');
    await tried.getByText('4711', { exact: true }).waitFor();
    await drawing(page).writeCode(CODE.replace('record.value.n,', 'record.value.n + 10_000,'));
    await tried.getByText('14711', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await tried.getByRole('button', { name: 'Save as test' }).click();
    await page.getByText('Saved as tests/count.json: what came out is what is expected.').waitFor();
  });

  test('a test says what came out otherwise, takes it, and asks before a deploy while it fails', async () => {
    await page.getByRole('tab', { name: 'Tests' }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByText('1 passed', { exact: true }).waitFor();
    await drawing(page).writeCode(CODE);
    await page.getByRole('button', { name: /^passed, changed since it ran count/ }).waitFor();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByText('1 of 1 test failed').waitFor();
    const check = page.getByRole('button', { name: 'Check and plan' });
    expect(await check.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Deploy all the same' }).click();
    await expect.poll(() => check.isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^failed count/ }).click();
    const difference = page.getByRole('region', { name: 'Came out otherwise' });
    await difference.getByText('n: 14711').waitFor();
    await difference.getByText('n: 4711').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take what came out' }).click();
    await page.getByText('passed', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'All tests' }).click();
    expect(opened.complaints).toEqual([]);
  });

  test('numbers over time are drawn of what is selected, of the whole where nothing is', async () => {
    await page.getByRole('tab', { name: 'Metrics' }).click();
    const metrics = page.getByRole('region', { name: 'Metrics' });
    await metrics.getByRole('heading', { name: 'count' }).waitFor();
    const rates = metrics.getByRole('figure', { name: 'Records per second' });
    await rates.locator('canvas').waitFor();
    await rates.getByText('out', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await metrics.getByRole('figure', { name: 'Commit time' }).locator('canvas').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('the runtime page tells of each worker, its interval and the commits', async () => {
    await page.getByRole('button', { name: 'Running', exact: true }).click();
    await page.getByRole('link', { name: 'Runtime' }).click();
    await page.getByRole('heading', { name: 'Runtime · Watched' }).waitFor();
    const workers = page.getByRole('table', { name: 'Workers' });
    await workers.getByText('running').first().waitFor();
    await workers
      .getByText(/^\d+ %$/)
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the pipeline' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('a key that stalls is named with source, request and record, and its reason goes when it does', async ({
    annotate,
  }) => {
    const { id } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: STALLING });
    await publishAndDeploy(owner, id);
    const post = async (to: string, record: object) =>
      (
        await owner.call('POST', `/in/${id}/n_${to}`, JSON.stringify([record]), {
          'content-type': 'application/json',
        })
      ).status;
    await vi.waitFor(async () => expect(await post('north', { at: 60_000, k: 'a' })).toBe(200), {
      timeout: BUILD_MS,
      interval: 200,
    });
    await post('south', { at: 60_000, k: 'b' });
    await post('west', { at: 60_000, k: 'c' });
    await page.goto(`${server.url}/w/w_default/p/${id}?node=n_out`);
    await page.getByRole('tab', { name: 'Metrics' }).waitFor();
    await page.getByRole('button', { name: 'Why is it here?' }).click();
    await post('west', { at: 70_000, k: 'stalled', do: 'call' });
    for (const name of SOURCES) await post(name, { at: 900_000, k: 'd' });
    const began = performance.now();
    const reason = page.getByText(/^In ask outside a record of key "stalled" waits, of/);
    await reason.waitFor();
    await annotate(`named after ${Math.round(performance.now() - began)} ms (due: 2,000)`);
    const held = page.getByRole('status').filter({ has: reason });
    const facts = await held.locator('dl').textContent();
    expect(facts).toMatch(/^KeystalledSourcewestRequest.+Recordat 0$/);
    expect(await seriousFindings(page)).toEqual([]);
    await held.getByRole('button', { name: 'Show the record' }).click();
    const key = page.getByRole('region', { name: 'stalled' });
    await key.getByText('Waiting records').waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Why is it here?' }).click();
    await reason.waitFor();
    await post('north', { at: 900_001, k: 'e', do: 'answer' });
    await reason.waitFor({ state: 'detached' });
    expect(opened.complaints).toEqual([]);
  }, 120_000);

  test('who may not see data is told why there is nothing, and nothing is asked for', async () => {
    await join(owner, 'viewer', 'viewer@example.org');
    const { page: theirs } = await openPage(browser);
    const sent: string[] = [];
    theirs.on('request', (request) => void sent.push(request.url()));
    theirs.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => void sent.push(String(payload))),
    );
    await signIn(theirs, server, 'viewer@example.org');
    await theirs.goto(`${url}?node=n_count`);
    await theirs.getByRole('tab', { name: 'State' }).click();
    await theirs.getByText('State is data, and your role does not include seeing it').waitFor();
    await theirs.getByRole('button', { name: 'Drawer', exact: true }).click();
    await theirs.getByRole('tab', { name: 'Records' }).click();
    await theirs.getByText('Records are data, and your role does not include seeing it').waitFor();
    await theirs.getByRole('tab', { name: 'Logs' }).click();
    await theirs.getByText('Logs may hold data, and your role does not include seeing it').waitFor();
    expect(sent.filter((each) => /state\/|tap\.open|logs\.open/.test(each))).toEqual([]);
  });
});
