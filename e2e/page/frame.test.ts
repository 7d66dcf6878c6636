/** The page around the editor, in a real browser against the real product. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage, seriousFindings } from '../support/browser.ts';
import { productInBrowser } from '../support/product.ts';
import { PASSWORD, type Served } from '../support/served.ts';

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
});

const heading = (name: string, on: Page = page) => on.getByRole('heading', { name, exact: true });
const button = (name: string, on: Page = page) => on.getByRole('button', { name, exact: true });

async function signIn(on: Page, password = PASSWORD): Promise<void> {
  await on.getByLabel('E-mail').fill(EMAIL);
  await on.getByLabel('Password', { exact: true }).fill(password);
  await button('Sign in', on).click();
}

describe('getting in', () => {
  test('the owner’s link makes the account, and its secret leaves the address', async () => {
    await page.goto(`${server.url}/setup#${server.ownerSecret}`);
    await heading('Make the owner account').waitFor();
    expect(page.url()).toBe(`${server.url}/setup`);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Name').fill('Ada Mill');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await button('Make the account').click();
    await page.getByText('5 more characters, please.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Make the account').click();
    await heading('Draw your first pipeline').waitFor();
  });

  test('who is signed out is sent to sign in and back to where they wanted to go', async () => {
    const { page: other } = await openPage(browser);
    await other.goto(`${server.url}/w/w_default/team`);
    await signIn(other, 'not the password');
    await other.getByRole('alert').waitFor();
    await signIn(other);
    await heading('Members', other).waitFor();
    await other.context().close();
  });

  test('somebody invited joins with the link', async () => {
    await page.goto(`${server.url}/w/w_default/team`);
    await button('Invite').click();
    await page.getByLabel('E-mail').fill('ben@example.org');
    await button('Make the link').click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await button('Done').click();
    const { page: other } = await openPage(browser);
    await other.goto(link);
    await other.getByText('You are invited as editor.').waitFor();
    await other.getByLabel('Name').fill('Ben');
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Join', other).click();
    await heading('Pipelines', other).waitFor();
    await other.context().close();
    await page.reload();
    await page.getByText('ben@example.org').waitFor();
  });
});

describe('the workspace', () => {
  test('a sample is made one’s own, renamed, deleted and brought back', async () => {
    await page.goto(server.url);
    await button('Make it mine').first().click();
    await page.waitForURL(/\/w\/w_default\/p\/p_/);
    await page.goto(server.url);
    const own = page.getByRole('article').first();
    await own.getByText('Ada Mill').waitFor();
    await own.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('River');
    await page.keyboard.press('Enter');
    await own.getByRole('link', { name: 'River' }).waitFor();
    await own.getByRole('button', { name: 'Actions of River' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete').click();
    await page.getByText('River is deleted.').waitFor();
    await button('Undo').click();
    await own.getByRole('link', { name: 'River' }).waitFor();
  });

  test('an exported zip is shown before it is imported', async () => {
    const own = page.getByRole('article').first();
    await own.getByRole('button', { name: 'Actions of River' }).click();
    const exported = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as zip' }).click();
    const path = await (await exported).path();
    await button('New pipeline').click();
    await page.getByRole('menuitem', { name: 'Import a zip…' }).click();
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByText(/^\d+ nodes, \d+ streams, \d+ files$/).waitFor();
    await page.getByText('A pipeline here has the id of this archive.', { exact: false }).waitFor();
    await button('Import').click();
    await page.waitForURL(/\/w\/w_default\/p\/p_/);
    await page.goto(server.url);
    await expect.poll(() => page.getByRole('link', { name: 'River' }).count()).toBe(2);
  });

  test('what was deleted is listed, and comes back', async () => {
    const own = page.getByRole('article').first();
    await own.getByRole('button', { name: 'Actions of River' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete').click();
    await page.getByRole('link', { name: 'Deleted pipelines' }).click();
    await page.getByRole('cell', { name: 'River', exact: true }).waitFor();
    await button('Restore').click();
    await heading('Nothing is deleted').waitFor();
  });

  test('a file is uploaded, and a token that is shown once opens what its scopes say', async () => {
    await page.goto(`${server.url}/w/w_default/settings/files`);
    const file = { name: 'rain.csv', mimeType: 'text/csv', buffer: Buffer.from('mm\n3\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('cell', { name: 'rain.csv', exact: true }).waitFor();
    await page.goto(`${server.url}/w/w_default/team/tokens`);
    await button('Make a token').click();
    await page.getByLabel('Name').fill('a script');
    await button('Make the token').click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    await button('Done').click();
    const answerOf = async (path: string) =>
      (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await answerOf('/api/v1/pipelines')).toBe(200);
    expect(await answerOf('/api/v1/files/rain.csv')).toBe(403);
  });

  test('a running pipeline shows its numbers on its card', async () => {
    await page.goto(server.url);
    const card = page.getByRole('article').filter({ hasText: 'This machine' }).last();
    await card.getByText('Running').waitFor();
    await card.getByText(/^\d[\d.]*\/s$/).waitFor();
    await card.getByText(/^[\d.]+ m?s$/).waitFor();
  });

  test('a template is found by what it does, and becomes a pipeline with the data it reads', async () => {
    await page.goto(server.url);
    const fold = page.getByRole('button', { name: /^Nexmark \d+ template/ });
    await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('searchbox', { name: 'Search pipelines' }).fill('average seller');
    await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: /^Nexmark q6/ }).click();
    await page.waitForURL(/\/w\/w_default\/p\/p_/);
    await page.getByText('No problems', { exact: true }).waitFor();
    const files = await page.request.get(`${server.url}/api/v1/files`);
    expect(await files.text()).toMatch(/samples\/nexmark-q6-p_\w+\/events\.jsonl/);
  });

  test('a secret is written and never shown', async () => {
    await page.goto(`${server.url}/w/w_default/settings/secrets`);
    await button('Add a secret').click();
    await page.getByLabel('Name').fill('warehouse');
    await page.getByLabel('Value').fill('s3cr3t-value');
    await button('Write').click();
    await page.getByRole('cell', { name: 'warehouse', exact: true }).waitFor();
    expect(await page.content()).not.toContain('s3cr3t-value');
  });
});

describe('the frame', () => {
  test('commands are found and started with the keyboard', async () => {
    await page.goto(server.url);
    await heading('Pipelines').waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    // Typed at once, as people do who know it: nothing of it is lost on the way.
    await page.keyboard.type('audit');
    const field = page.getByPlaceholder('Do something, go somewhere');
    await expect.poll(() => field.inputValue()).toBe('audit');
    await page.keyboard.press('Enter');
    await heading('Members').waitFor();
    await page.keyboard.press('?');
    await heading('Shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await heading('Shortcuts').waitFor({ state: 'detached' });
  });

  test('the theme is in the first bytes of the page', async () => {
    await page.getByRole('button', { name: 'Account of Ada Mill' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const answer = await page.goto(server.url);
    expect(await answer?.text()).toContain('data-theme="dark"');
  });

  test('one switch shows all times in UTC', async () => {
    await page.goto(`${server.url}/w/w_default/team/audit`);
    await page.locator('td time').first().waitFor();
    await page.getByRole('button', { name: 'Account of Ada Mill' }).click();
    await page.getByRole('menuitemradio', { name: 'In UTC' }).click();
    await expect.poll(() => page.locator('td time').first().textContent()).toMatch(/ UTC$/);
    expect(await page.locator('td time').first().getAttribute('datetime')).toMatch(/\+00:00$/);
  });

  test('what is not there, or not for one, says so and leads on', async () => {
    await page.goto(`${server.url}/w/w_other/team`);
    await heading('There is nothing at this address').waitFor();
    await page.goto(`${server.url}/w/w_default/team/nothing`);
    await heading('Nothing here for you').waitFor();
    await page.goto(`${server.url}/w/w_default/p/p_nothing`);
    await button('Go to the pipelines').click();
    await heading('Pipelines').waitFor();
  });

  test('a session that ends is renewed over the page, and what was typed stays', async () => {
    await page.goto(server.url);
    const search = page.getByLabel('Search pipelines');
    await search.fill('machine');
    const { page: other } = await openPage(browser, { storageState: await page.context().storageState() });
    await other.request.delete(`${server.url}/api/v1/sessions`, { headers: { origin: server.url } });
    await other.context().close();
    await search.fill('machine that');
    await button('Sign in again').click();
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    expect(await search.inputValue()).toBe('machine that');
  });
});

/** Pages by their address, with a heading each, and what is opened there besides. */
const PAGES: readonly (readonly [path: string, heading: string, opens?: (on: Page) => Promise<void>])[] = [
  ['/', 'Samples', (on) => on.keyboard.press('ControlOrMeta+k')],
  ['/', 'Samples', (on) => on.keyboard.press('?')],
  ['/', 'Samples', (on) => choose(on, 'New pipeline', 'Import a zip…')],
  ['/', 'Samples', (on) => choose(on, 'Actions of', 'Rename')],
  ['/', 'Samples', (on) => choose(on, 'Actions of', 'Change tags')],
  ['/', 'Samples', (on) => choose(on, 'Actions of', 'Delete')],
  ['/w/w_default/team', 'Members', (on) => button('Invite', on).click()],
  ['/w/w_default/team/tokens', 'API tokens', (on) => button('Make a token', on).first().click()],
  ['/w/w_default/team/audit', 'Audit log'],
  ['/w/w_default/settings/files', 'Files'],
  ['/w/w_default/settings/secrets', 'Secrets', (on) => button('Add a secret', on).first().click()],
  ['/w/w_default/settings/reach', 'Hosts and folders'],
  ['/w/w_default/settings/workspace', 'Workspace'],
  ['/w/w_default/settings/account', 'Password'],
  ['/w/w_default/deleted', 'Deleted pipelines'],
];

async function choose(on: Page, menu: string, item: string): Promise<void> {
  await on.getByRole('button', { name: menu }).first().click();
  await on.getByRole('menuitem', { name: item, exact: true }).click();
}

async function findings(colorScheme: 'light' | 'dark'): Promise<readonly string[]> {
  const { page: seen } = await openPage(browser, { colorScheme, reducedMotion: 'reduce' });
  const found: string[] = [];
  const look = async (where: string): Promise<void> => {
    const here = await seriousFindings(seen);
    found.push(...here.map((one) => `${colorScheme}, ${where}: ${one}`));
  };
  await seen.goto(`${server.url}/sign-in`);
  await heading('Sign in', seen).waitFor();
  await look('/sign-in');
  await signIn(seen);
  await heading('Pipelines', seen).waitFor();
  let before = '';
  for (const [path, name, opens] of PAGES) {
    if (path !== before) {
      await seen.goto(server.url + path);
      await heading(name, seen).first().waitFor();
      await look(path);
    }
    before = path;
    if (opens === undefined) continue;
    await opens(seen);
    const dialog = seen.locator('[role="dialog"], [role="alertdialog"]');
    await dialog.waitFor();
    await look(`${path}, ${await dialog.getByRole('heading').first().textContent()}`);
    await seen.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await seen.context().close();
  return found;
}

describe('everybody', () => {
  test('finds nothing in the way, on any page and in any dialog, light and dark', async () => {
    // Both at once: what takes its time is the pages.
    const found = await Promise.all([findings('light'), findings('dark')]);
    expect(found.flat()).toEqual([]);
  }, 180_000);
});

test('signed out in one tab is signed out in all', async () => {
  await page.goto(server.url);
  await heading('Pipelines').waitFor();
  const tab = await page.context().newPage();
  await tab.goto(server.url);
  await tab.getByRole('button', { name: 'Account of Ada Mill' }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
});

test('nothing of this made the page complain', () => {
  expect(opened.complaints).toEqual([]);
});
