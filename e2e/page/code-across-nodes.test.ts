/** Code that belongs together, in a real browser: names, definitions, shared files, parameters, failures at their lines. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { makeOwner } from '../support/drawing.ts';
import { productInBrowser } from '../support/product.ts';
import type { Served } from '../support/served.ts';

const EMAIL = 'owner@example.org';
const code = (outputs: string, body: string): string => `import { computation } from '@millrace/sdk';
import { loud } from '#lib/words';
import type { Inputs } from './streams';

export interface Outputs { ${outputs} }

export default computation<Inputs, Outputs>({
  processRecord(record, ctx) {
    ${body}
  },
});
`;
const PIPELINE = {
  format: 1,
  name: 'Names',
  nodes: {
    n_in: { type: 'injector/generator', name: 'numbers', config: { value: '{ n }', rate: 5 } },
    n_pass: { type: 'code', name: 'pass', code: 'nodes/pass.ts' },
    n_last: { type: 'code', name: 'last', code: 'nodes/last.ts' },
    n_map: {
      type: 'operator/map',
      name: 'map',
      config: { expression: 'value.who.length + value.who.length' },
    },
    n_out: { type: 'sink/discard', name: 'out' },
  },
  streams: {
    s_in: { from: ['n_in', 'out'], to: ['n_pass', 'in'], keyBy: 'value.n' },
    s_last: { from: ['n_pass', 'people'], to: ['n_last', 'in'], keyBy: 'value.who' },
    s_map: { from: ['n_pass', 'people'], to: ['n_map', 'in'] },
    s_out: { from: ['n_map', 'out'], to: ['n_out', 'in'] },
  },
};
const FILES = {
  'pipeline.json': JSON.stringify(PIPELINE),
  'nodes/pass.ts': code(
    'people: { who: string }',
    "ctx.produce('people', { who: loud(String(record.value.n)) });",
  ),
  'nodes/last.ts': code(
    'none: string',
    "if (loud(record.value.who) !== '') throw new Error('nobody is liked');",
  ),
  'lib/words.ts': 'export const loud = (text: string): string => text.toUpperCase();\n',
};

const product = productInBrowser();
let browser: Browser;
let server: Served;
let page: Page;
let pipeline: string;

beforeAll(async () => {
  ({ server, browser } = await product.start());
  ({ page } = await openPage(browser));
  await makeOwner(page, server, EMAIL);
  ({ id: pipeline } = await post('', { files: FILES }));
  await page.goto(`${server.url}/w/w_default/p/${pipeline}`);
  await page.getByText('No problems', { exact: true }).waitFor();
});

const address = (path: string): string => `${server.url}/api/v1/pipelines${path}`;

async function post(path: string, body: object): Promise<{ id: string; number: number }> {
  const answer = await page.request.post(address(path), { data: body, headers: { origin: server.url } });
  expect([path, answer.status(), answer.ok()]).toEqual([path, answer.status(), true]);
  return answer.json();
}

/** What the server has of the draft. */
async function stored(): Promise<Readonly<Record<string, string>>> {
  const answer = await page.request.get(address(`/${pipeline}/draft`));
  return ((await answer.json()) as { files: Record<string, string> }).files;
}
const graph = async () => JSON.parse((await stored())['pipeline.json'] ?? '{}');

const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

async function openCode(id: string, name: string): Promise<void> {
  await node(id).dblclick();
  await page
    .getByRole('region', { name: `Code of ${name}` })
    .locator('.view-line')
    .first()
    .waitFor();
}

/** Counted from 1, as people count. */
async function putCursor(line: number, column: number): Promise<void> {
  await page.locator('.monaco-editor .view-lines').click();
  await page.keyboard.press('Control+Home');
  for (let i = 1; i < line; i++) await page.keyboard.press('ArrowDown');
  for (let i = 1; i < column; i++) await page.keyboard.press('ArrowRight');
}

const OUTPUTS = 'export interface Outputs { people: { '.length + 1;

describe('code across nodes', () => {
  test('a field is renamed wherever it is read, in code and in settings, as one step', async () => {
    const before = await stored();
    await openCode('n_pass', 'pass');
    await putCursor(5, OUTPUTS);
    await page.keyboard.press('F2');
    await page.locator('.rename-box input').fill('person');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored())['nodes/last.ts']).toContain('loud(record.value.person)');
    const files = await stored();
    expect(files['nodes/pass.ts']).toContain('{ people: { person: string } }');
    expect(files['nodes/pass.ts']).toContain('{ person: loud(');
    const { nodes, streams } = await graph();
    expect(nodes.n_map.config.expression).toBe('value.person.length + value.person.length');
    expect(streams.s_last.keyBy).toBe('value.person');
    await page.getByText('No problems', { exact: true }).waitFor();
    await page.locator('.monaco-editor .view-lines').click();
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  test('streams go along to the new name of an output, as one step, when that is asked for', async () => {
    const before = await stored();
    await openCode('n_pass', 'pass');
    await putCursor(5, 'export interface Outputs { people'.length + 1);
    await page.keyboard.type('2');
    const follow = page.getByRole('button', { name: "Lead its 2 streams to 'people2'" });
    await follow.click();
    await follow.waitFor({ state: 'detached' });
    await expect.poll(async () => (await graph()).streams.s_last.from).toEqual(['n_pass', 'people2']);
    expect((await graph()).streams.s_map.from).toEqual(['n_pass', 'people2']);
    await page.locator('[data-canvas]').focus();
    await page.keyboard.press('Control+z');
    await expect
      .poll(async () => (await graph()).streams)
      .toEqual(JSON.parse(before['pipeline.json'] ?? '').streams);
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  test('a definition is shown where it stands, in the code of another node', async () => {
    await openCode('n_last', 'last');
    await putCursor(9, '    if (loud(record.value.w'.length);
    await page.keyboard.press('F12');
    const producer = page.getByRole('region', { name: 'Code of pass' });
    await producer.locator('.view-line').first().waitFor();
    await page.keyboard.type('x');
    await expect
      .poll(async () => (await stored())['nodes/pass.ts'])
      .toContain('{ people: { xwho: string } }');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored())['nodes/pass.ts']).toContain('{ people: { who: string } }');
  });

  test('saving formats, as one step of its own', async () => {
    await openCode('n_last', 'last');
    await putCursor(10, 1);
    await page.keyboard.type('\n      ctx . count( "x" );');
    await expect.poll(async () => (await stored())['nodes/last.ts']).toContain('ctx . count( "x" )');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await stored())['nodes/last.ts']).toContain('    ctx.count("x");\n');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored())['nodes/last.ts']).toContain('ctx . count( "x" )');
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toMatchObject({ 'nodes/last.ts': FILES['nodes/last.ts'] });
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByPlaceholder('Do something, go somewhere').waitFor();
    await page.keyboard.press('Escape');
  });

  test('the key of a stream is typed with the help that code has', async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await page
      .locator('.react-flow__edge[data-id="s_last"] .react-flow__edge-interaction')
      .click({ force: true });
    const key = page.getByLabel('Inspector').getByRole('textbox', { name: 'Key', exact: true });
    await key.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('value.');
    await page.locator('.suggest-widget').getByText('who', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await graph()).streams.s_last.keyBy).toBe('value.who');
    // At once: on a busy machine two letters may lie as far apart as two steps.
    await page.keyboard.insertText('se');
    await page.getByLabel('Inspector').locator('.squiggly-error').waitFor();
    await page.getByLabel('Inspector').getByText("Property 'whose' does not exist").waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('No problems', { exact: true }).waitFor();
    expect((await graph()).streams.s_last.keyBy).toBe('value.who');
  });

  test('shared code takes its new name into every import; deleted, it comes back whole', async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } });
    const inspector = page.getByLabel('Inspector');
    await inspector.getByText(/^used by (pass, last|last, pass)$/).waitFor();
    await inspector.getByRole('button', { name: 'Rename lib/words.ts' }).click();
    await inspector.getByLabel('Name of the file').fill('text/big');
    await page.keyboard.press('Enter');
    await inspector.getByRole('button', { name: 'Delete lib/text/big.ts' }).waitFor();
    await expect.poll(async () => (await stored())['nodes/last.ts']).toContain("from '#lib/text/big'");
    await page.getByText('No problems', { exact: true }).waitFor();
    await inspector.getByRole('button', { name: 'Delete lib/text/big.ts' }).click();
    await page.getByText('2 errors', { exact: true }).waitFor();
    for (let i = 0; i < 2; i++) {
      await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } });
      await page.keyboard.press('Control+z');
    }
    await expect.poll(stored).toMatchObject(FILES_OF_CODE);
  });

  test('a setting takes its value from a new parameter, as one step', async () => {
    await node('n_in').click();
    const inspector = page.getByLabel('Inspector');
    await inspector.getByRole('button', { name: 'Where Rate comes from' }).click();
    await page.getByRole('menuitem', { name: 'New parameter of this value' }).click();
    await expect
      .poll(async () => (await graph()).parameters)
      .toEqual({ rate: { default: 5, type: 'number' } });
    expect((await graph()).nodes.n_in.config.rate).toEqual({ param: 'rate' });
    await inspector.getByRole('button', { name: 'Write a value instead' }).waitFor();
    await page.getByText('No problems', { exact: true }).waitFor();
    await node('n_in').click();
    await page.keyboard.press('Control+z');
    await expect.poll(graph).toMatchObject({ nodes: { n_in: { config: { rate: 5 } } } });
    expect((await graph()).parameters).toBeUndefined();
  });

  test('what failed stands at its line, while the code is the code that failed', async () => {
    const { number } = await post(`/${pipeline}/versions`, { message: '' });
    await post(`/${pipeline}/deployment`, { version: number });
    await openCode('n_last', 'last');
    const shown = async () =>
      ((await page.locator('.monaco-editor .view-lines').textContent()) ?? '').replace(/\u00a0/g, ' ');
    await expect.poll(shown, { timeout: 60_000 }).toContain('× nobody is liked');
    await putCursor(1, 1);
    await page.keyboard.type('// changed\n');
    await expect.poll(shown).toContain('// changed');
    await expect.poll(shown).not.toContain('× nobody is liked');
  });
});

const { 'pipeline.json': _, ...FILES_OF_CODE } = FILES;
