/** What is said of a `DATABASE_URL` that is none, or that leads nowhere. */
import { StoreError } from '../errors.ts';

/** The client takes anything else for the name of a database on a host called "base". */
export function refuseOther(url: string): void {
  if (/^(postgres(ql)?:\/\/|socket:|\/)/.test(url)) return;
  throw new StoreError(
    'connect-failed',
    'DATABASE_URL is not the address of a Postgres: write postgres://user:password@host:port/database.',
  );
}

export function unusable(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(
    'connect-failed',
    `The database named by DATABASE_URL cannot be used: ${(error as Error).message}. Check the address, the user and the password, and that the server is running.`,
    { cause: error },
  );
}
