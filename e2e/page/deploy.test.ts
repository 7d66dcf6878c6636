/** What runs, from the page: every way to start and stop it, the draft against it, versions side by side. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { productInBrowser, signIn } from '../support/product.ts';
import { type Caller, join, type Served, setUp } from '../support/served.ts';

const EMAIL = 'owner@example.org';
const COUNTING = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { n: { n: number } }

export default computation<Inputs, Outputs, { seen: number }>({
  processRecord(record, ctx) {
    ctx.state.set({ seen: (ctx.state.get()?.seen ?? 0) + 1 });
    ctx.produce('n', { n: record.value.n });
  },
});
`;
const PIPELINE = {
  format: 1,
  name: 'Counting',
  nodes: {
    n_in: {
      type: 'injector/generator',
      name: 'numbers',
      config: { value: '{ n }', type: '{ n: number }', rate: 10 },
    },
    n_count: { type: 'code', name: 'count', code: 'nodes/count.ts' },
    n_out: { type: 'sink/discard', name: 'out' },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_count', 'in'], keyBy: 'value.n % 7' },
    s_out: { from: ['n_count', 'n'], to: ['n_out', 'in'] },
  },
};
const LAYOUT = { nodes: { n_in: { at: [0, 0] }, n_count: { at: [280, 0] }, n_out: { at: [560, 0] } } };
const FILES = {
  'pipeline.json': JSON.stringify(PIPELINE),
  'layout.json': JSON.stringify(LAYOUT),
  'nodes/count.ts': COUNTING,
};

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
  opened = await openPage(browser);
  page = opened.page;
  await signIn(page, server, EMAIL);
  await page.goto(url);
  await saved();
});

/** A check and a build, beside whatever else the machine does. */
const BUILD_MS = 55_000;

const saved = () => page.getByText('Saved', { exact: true }).waitFor();
const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const runs = () => page.getByRole('dialog', { name: 'What runs' });
const observed = async () =>
  (await owner.done<{ observed: { state: string } }>('GET', `/api/v1/pipelines/${pipeline}/deployment`))
    .observed.state;

async function planOfDraft(message: string): Promise<void> {
  await button('Deploy').click();
  await page.getByLabel('What changed').fill(message);
  await button('Check and plan').click();
  await page.getByRole('list', { name: 'Plan' }).waitFor({ timeout: BUILD_MS });
}

async function setting(of: string, label: string, value: string): Promise<void> {
  await node(of).click();
  await page.getByLabel('Inspector').getByRole('textbox', { name: label, exact: true }).fill(value);
  await page.keyboard.press('Enter');
  await saved();
}

describe('deploying', () => {
  test('the states are told as they happen, until it runs', async () => {
    await planOfDraft('counts by seven');
    await button('Deploy version 1').click();
    await page.getByText('Version 1 is asked for').waitFor();
    await page.getByText('Version 1 runs.').waitFor();
    await button('Close').last().click();
    await button('Running').waitFor();
  });

  test('what is looked at is what goes out: an edit meanwhile is told, and looked at first', async () => {
    await setting('n_in', 'Rate', '20');
    await button('Deploy').click();
    await page.getByRole('button', { name: /changed numbers settings/ }).waitFor();
    const draft = await owner.done<{ revision: number; files: Record<string, string> }>(
      'GET',
      `/api/v1/pipelines/${pipeline}/draft`,
    );
    const files = {
      ...draft.files,
      'nodes/count.ts': COUNTING.replace('+ 1', '+ 2').replace('seen: number }>', 'seen: number }>'),
    };
    const headers = { 'if-match': `"${draft.revision}"` };
    await owner.done('PUT', `/api/v1/pipelines/${pipeline}/draft`, { files }, headers);
    await page.getByText(/edited while this was open|edited the draft while/).waitFor();
    expect(await button('Check and plan').isDisabled()).toBe(true);
    await button('Show the draft as it is now').click();
    await page.getByRole('button', { name: /changed count code/ }).waitFor();
    await page.getByText('Edits by').waitFor();
    await button('Check and plan').click();
    await page.getByRole('list', { name: 'Plan' }).waitFor({ timeout: BUILD_MS });
    await button('Deploy version 2').click();
    await page.getByText('Version 2 runs.').waitFor();
    await button('Close').last().click();
  });
});

describe('the draft against what runs', () => {
  test('a changed node says so, a new one is not deployed, a removed one stays as a ghost', async () => {
    await setting('n_in', 'Rate', '30');
    await expect.poll(() => node('n_in').textContent()).toContain('Changed since version 2: settings');
    await node('n_out').click();
    await page.keyboard.press('Delete');
    await node('n_out').getByText('removed').waitFor();
    await page.locator('[data-canvas]').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('Discard');
    await page.keyboard.press('Enter');
    await page.getByText('not deployed').waitFor();
  });

  test('what runs is shown as it is and cannot be changed; reload and back keep what is shown', async () => {
    await page.getByText('Running v2').click();
    await page.getByText('Version 2, as it runs.').waitFor();
    await page.getByText('Read only').waitFor();
    await node('n_out').click();
    expect(await page.getByLabel('Inspector').getByLabel('Name').isDisabled()).toBe(true);
    await page.keyboard.press('Delete');
    expect(await node('n_out').count()).toBe(1);
    await page.reload();
    await page.getByText('Version 2, as it runs.').waitFor();
    expect(page.url()).toContain('v=2');
    await node('n_count').dblclick();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    expect(await page.locator('.monaco-editor .view-lines').textContent()).toContain('2');
    await page.goBack();
    await saved();
    await page.getByText('not deployed').waitFor();
  });

  test('two versions lie side by side, a node opens its settings and code', async () => {
    await button('Versions').click();
    await page.getByLabel('Canvas of Version 2').waitFor();
    await page.getByRole('button', { name: /removed out/ }).waitFor();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    expect(page.url()).toContain('compare=1..draft');
    await page.getByRole('combobox', { name: 'with' }).click();
    await page.getByRole('option', { name: 'Version 2' }).click();
    await page.getByText('2 changed').waitFor();
    const frame = page.getByLabel('Canvas of Version 1');
    await frame.locator('.react-flow__node[data-id="n_in"]').click();
    const rate = page.getByRole('row', { name: /Rate/ });
    await expect.poll(() => rate.textContent()).toBe('Rate1020');
    await button('All changes').click();
    await page.getByRole('button', { name: /changed count code/ }).click();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('both sides move together', async () => {
    const viewport = (name: string) =>
      page.getByLabel(`Canvas of ${name}`).locator('.react-flow__viewport').getAttribute('style');
    const before = await viewport('Version 2');
    const box = await page.getByLabel('Canvas of Version 1').boundingBox();
    if (box === null) throw new Error('there is no canvas');
    await page.mouse.move(box.x + 40, box.y + box.height - 40);
    await page.mouse.wheel(90, 60);
    await expect.poll(() => viewport('Version 2')).not.toBe(before);
    await expect.poll(() => viewport('Version 1')).toBe(await viewport('Version 2'));
  });

  test('a version is restored into the draft', async () => {
    await page.getByRole('button', { name: /^Version 2/ }).click();
    await button('Restore into the draft').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore into the draft' }).click();
    await page.getByText('The draft is version 2 again.').waitFor();
    await button('Back to the draft').click();
    await saved();
    await expect.poll(() => page.getByText('not deployed').count()).toBe(0);
  });
});

describe('every way to start and stop it', () => {
  test('pause, resume, stop, start and stop at once do what they say', async () => {
    const ways = [
      ['Running', /^Pause/, 'Paused', 'paused'],
      ['Paused', /^Resume/, 'Running', 'running'],
      ['Running', /^Stop Finish/, 'Stopped', 'stopped'],
      ['Stopped', /^Start/, 'Running', 'running'],
      ['Running', /^Stop at once/, 'Stopped', 'stopped'],
      ['Stopped', /^Start/, 'Running', 'running'],
    ] as const;
    for (const [from, wish, to, state] of ways) {
      await button(from).click();
      await runs().getByRole('button', { name: wish }).click();
      await button(to).waitFor();
      await expect.poll(observed).toBe(state);
    }
  });

  test('going back shows its plan first, and runs the version before', async () => {
    await button('Running').click();
    await runs()
      .getByRole('button', { name: /^Roll back to version 1/ })
      .click();
    await page.getByRole('list', { name: 'Plan' }).getByText('count').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 1' }).click();
    await page.getByText('Version 1 runs.').waitFor();
    await button('Close').last().click();
    await page.getByText('Running v1').waitFor();
  });

  test('state goes only where somebody agreed to that', async () => {
    await node('n_count').click();
    await page.keyboard.press('Delete');
    await saved();
    await planOfDraft('no counting any more');
    await page.getByText('its state and timers would go').waitFor();
    const deploy = page.getByRole('button', { name: /^Deploy version 3/ });
    expect(await deploy.isDisabled()).toBe(true);
    await page.getByLabel(/Give up the state of count/).click();
    await deploy.click();
    await page.getByText('Version 3 runs.').waitFor();
    await button('Close').last().click();
  });

  test('who may only look sees the same, without a button that would be refused', async () => {
    await join(owner, 'viewer', 'viewer@example.org');
    const looking = (await openPage(browser)).page;
    await signIn(looking, server, 'viewer@example.org');
    await looking.goto(url);
    await looking.getByRole('button', { name: 'Running', exact: true }).click();
    await looking.getByText('You may look at what runs, not change it.').waitFor();
    expect(await looking.getByRole('button', { name: /Deploy|Stop|Pause|Roll back/ }).count()).toBe(0);
    await looking.keyboard.press('Escape');
    await looking.getByRole('button', { name: 'Versions', exact: true }).click();
    await looking.getByLabel('Canvas of Version 3').waitFor();
    expect(await looking.getByRole('button', { name: /Restore|Deploy this/ }).count()).toBe(0);
  });

  test('the page complained of nothing', () => {
    expect(opened.complaints).toEqual([]);
  });
});
