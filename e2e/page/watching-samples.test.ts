/** What the samples show while they run: the machine's own numbers, a spike as it comes, a region that falls silent. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../support/browser.ts';
import { drawing } from '../support/drawing.ts';
import { postUntilTaken } from '../support/posting.ts';
import { productInBrowser, signIn } from '../support/product.ts';
import { sample } from '../support/samples.ts';
import { type Caller, makeToken, type Served, setUp } from '../support/served.ts';

const EMAIL = 'owner@example.org';
const SLOTS_A_SECOND = 100;
const BEGIN = Date.UTC(2020, 0, 1);
/** Words that only a mistake writes. */
const MISTAKES = /NaN|Infinity|undefined|\bnull\b|\[object/;
/** Of layout shift: what nobody sees. */
const STILL = 0.01;

const product = productInBrowser();
let browser: Browser;
let server: Served;
let owner: Caller;
let opened: OpenPage;
let page: Page;

beforeAll(async () => {
  ({ server, browser } = await product.start());
  owner = await setUp(server, EMAIL);
  opened = await openPage(browser);
  page = opened.page;
  await signIn(page, server, EMAIL);
}, 180_000);

const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const shown = async (): Promise<string> => String(await page.evaluate('document.body.innerText'));
/** Event time that a node shows, UTC ms; undefined where it shows none. */
const watermarkOf = async (id: string): Promise<number | undefined> => {
  const title = await node(id).locator('[data-time="event"]').getAttribute('title');
  return title === null ? undefined : Date.parse(title);
};

/** From now on, how far things jump without anybody having done something: `globalThis.shifted`. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift' })`;

describe('This machine', () => {
  const places = () =>
    page
      .locator('.react-flow__node')
      .evaluateAll((all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())));

  test('its numbers move, its charts fill, nothing jumps, and nothing is said that is no number', async () => {
    await page.goto(`${server.url}/w/w_default/p/p_thismachine`);
    await expect.poll(() => watermarkOf('n_table')).toBeGreaterThan(BEGIN);
    await page.evaluate(WATCH_SHIFTS);
    const [before, first] = [await places(), (await watermarkOf('n_table')) ?? 0];
    const said: string[] = [];
    await expect
      .poll(async () => {
        said.push(await shown());
        return ((await watermarkOf('n_table')) ?? 0) - first;
      })
      .toBeGreaterThan(3_000);
    expect(await page.evaluate('globalThis.shifted')).toBeLessThan(STILL);
    expect(await places()).toEqual(before);
    await page.getByRole('button', { name: 'Drawer', exact: true }).click();
    await page.getByRole('tab', { name: 'Metrics' }).click();
    await node('n_readings').click();
    await page.getByRole('figure', { name: 'Records per second' }).locator('canvas').waitFor();
    said.push(await shown());
    expect(said.filter((text) => MISTAKES.test(text))).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});

describe('Zeitgeist', () => {
  const REGIONS = ['europe', 'america', 'asia'] as const;
  type Region = (typeof REGIONS)[number];
  let pipeline: string;
  let token: string;

  /** The sample, its regions posted by this test: so it knows when each query was asked. */
  const files = (): Record<string, string> => {
    const { pipeline: graph, code } = sample('zeitgeist');
    const posted = REGIONS.map((region) => {
      const id = `n_${region}`;
      const { type, timestamp, slack } = (graph.nodes[id] as { config: Record<string, unknown> }).config;
      const idleTimeout = region === 'asia' ? '2s' : 'off';
      return [
        id,
        { type: 'injector/http', name: region, config: { type, timestamp, slack, idleTimeout } },
      ] as const;
    });
    const nodes = { ...graph.nodes, ...Object.fromEntries(posted) };
    return { 'pipeline.json': JSON.stringify({ ...graph, nodes }), ...code };
  };
  /** Everything a region asks from one second to another. */
  const ask = (region: Region, from: number, to: number): Promise<unknown> => {
    const lines = Array.from({ length: (to - from) * SLOTS_A_SECOND }, (_, i) =>
      JSON.stringify({ region, slot: from * SLOTS_A_SECOND + i }),
    );
    const door = { url: `${server.url}/in/${pipeline}/${region}`, token };
    return postUntilTaken(door, { key: `${region}-${from}`, text: `${lines.join('\n')}\n` });
  };
  const arrivedAt = async (id: string): Promise<number> => {
    const { progress } = await owner.done<{
      progress: { nodes: readonly { node: string; in: number }[] } | null;
    }>('GET', `/api/v1/pipelines/${pipeline}/live`);
    return progress?.nodes.find((each) => each.node === id)?.in ?? 0;
  };

  beforeAll(async () => {
    ({ id: pipeline } = await owner.done<{ id: string }>('POST', '/api/v1/pipelines', { files: files() }));
    ({ token } = await makeToken(owner, ['ingest']));
    await page.goto(`${server.url}/w/w_default/p/${pipeline}`);
    await page.getByText('Saved', { exact: true }).waitFor();
    await drawing(page).deploy(1);
  }, 120_000);

  test('a spike is on the page as soon as it is in the data', async ({ annotate }) => {
    await Promise.all(REGIONS.map((region) => ask(region, 25, 40)));
    // By then it has learned how much is usual.
    await expect.poll(() => arrivedAt('n_detector')).toBeGreaterThan(0);
    await node('n_alerts').click();
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByText('Waiting for a record…').waitFor();
    const caused = Date.now();
    // Football alone is asked more in Europe than in all regions before.
    await ask('europe', 40, 41);
    const alert = page
      .getByRole('listbox', { name: /^Records/ })
      .getByRole('option', { name: /spike.*football/ });
    await alert.first().waitFor();
    await annotate(`seen ${Date.now() - caused} ms after its first query was sent`);
    await expect
      .poll(() => page.locator('[data-stream="s_alerts"] > svg path').last().getAttribute('d'))
      .toMatch(/^M/);
    expect(await arrivedAt('n_alerts')).toBe(1);
  });

  test('a region that falls silent is idle after its timeout, and the rest of the graph goes on', async () => {
    await node('n_asia').getByText('idle', { exact: true }).waitFor();
    await Promise.all((['europe', 'america'] as const).map((region) => ask(region, 44, 47)));
    await expect.poll(() => watermarkOf('n_counter')).toBeGreaterThanOrEqual(BEGIN + 45_000);
    expect(await watermarkOf('n_asia')).toBeLessThan(BEGIN + 40_000);
    await page
      .getByRole('region', { name: /^Watermarks/ })
      .getByText('1 idle')
      .waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
