/** The page for people: one document for all its addresses, and its assets. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import type { Feature } from '../http/handler.ts';
import { Problem } from '../http/problem.ts';
import { openAssets } from './assets.ts';
import { pageBuild } from './page-build.ts';

const VIEWS = [
  'instance.page',
  'instance.sign-in',
  'instance.setup',
  'instance.invite',
  'instance.password',
  'instance.workspace',
  'instance.record',
] as const;

const NOT_BUILT = new Problem(503, 'page-not-built', 'The page is not built: run `npm run build`.');

export function pageFeature(folder: string): Feature {
  const index = join(folder, 'index.html');
  const document = existsSync(index)
    ? readFileSync(index, 'utf8').replace('data-theme', `data-build="${pageBuild(folder)}" data-theme`)
    : undefined;
  const assets = openAssets(join(folder, 'assets'));
  return (bind) => {
    for (const id of VIEWS)
      bind(id, ({ request, response }) => (document ? render(document, request, response) : NOT_BUILT));
    bind('instance.asset', (call) => assets(call.params.name, call.request, call.response));
  };
}

/** The theme is in the first bytes, so that nothing flashes; styles made by scripts carry this answer's nonce. */
function render(document: string, request: Request, response: Response): string {
  const nonce = randomBytes(16).toString('base64');
  allowStyles(response, nonce);
  response.setHeader('Cache-Control', 'no-store');
  return document
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('data-theme="system"', `data-theme="${themeOf(request.headers.cookie)}"`);
}

/** Style attributes are allowed: code editor and canvas place their lines and nodes with them. */
function allowStyles(response: Response, nonce: string): void {
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy !== 'string') return;
  const styles = `style-src-elem 'self' 'nonce-${nonce}';style-src-attr 'unsafe-inline'`;
  response.setHeader('Content-Security-Policy', `${policy};${styles}`);
}

function themeOf(cookie: string | undefined): string {
  return /(?:^|;\s*)millrace_theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1] ?? 'system';
}
