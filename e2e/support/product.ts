/** The product and a browser in front of it, for the tests of a file; both end after them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { openBrowser } from './browser.ts';
import { sharedData } from './folders.ts';
import { PASSWORD, type Served, serve } from './served.ts';

export interface Product {
  /** The data folder. */
  readonly path: string;
  readonly start: (options?: { readonly args?: readonly string[] }) => Promise<{
    readonly server: Served;
    readonly browser: Browser;
  }>;
}

export function productInBrowser(): Product {
  const data = sharedData();
  let end: (() => Promise<void>) | undefined;
  let server: Served | undefined;
  let browser: Browser | undefined;
  afterAll(async () => {
    await browser?.close();
    server?.kill('SIGTERM');
    await server?.ended;
    await end?.();
  });
  return {
    path: data.path,
    start: async (options = {}) => {
      server = await serve(data.path, {
        ...options,
        atEnd: (how) => {
          end = how;
        },
      });
      browser = await openBrowser();
      return { server, browser };
    },
  };
}

/** As somebody who has an account; what the page shows is opened afterwards. */
export async function signIn(page: Page, { url }: Served, email: string): Promise<void> {
  const answer = await page.request.post(`${url}/api/v1/login`, {
    data: { email, password: PASSWORD },
    headers: { origin: url },
  });
  expect(answer.status()).toBeLessThan(300);
}
