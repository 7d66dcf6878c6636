/** The server about itself: health, its interface, the page for people. */
import type { Database } from '@millrace/store';
import type { Feature } from '../http/handler.ts';
import { openApiDocument } from '../http/openapi.ts';
import { retryLater } from '../http/problem.ts';

const DATABASE_LIMIT_MS = 2_000;

export interface InstanceOptions {
  readonly database: Database;
  readonly version: string;
}

export function instanceFeature({ database, version }: InstanceOptions): Feature {
  return (bind) => {
    let document: ReturnType<typeof openApiDocument> | undefined;
    bind('instance.openapi', () => {
      document ??= openApiDocument(version);
      return document;
    });
    bind('instance.health', async () => {
      const answered = database.rows('select 1').then(() => true);
      return (await within(answered, DATABASE_LIMIT_MS))
        ? { status: 'ok', role: 'leads' }
        : retryLater(503, 'database-away', 'The database does not answer; the server waits for it.', 2);
    });
  };
}

/** Calls of the store wait while the database is away. */
async function within(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  return Promise.race([answer.catch(() => false), late]).finally(() => clearTimeout(timer));
}
