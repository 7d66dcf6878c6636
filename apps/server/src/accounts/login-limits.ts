/**
 * How often one may try to log in. By address, against guessing many accounts; by account and address, against
 * guessing one; by account alone much looser, so that a stranger cannot lock its owner out for long.
 */
import type { Database } from '@millrace/store';
import { forgiveAttempts, giveBackAttempt, type RateLimit, takeAttempt } from '@millrace/store/accounts';
import { type Problem, retryLater } from '../http/problem.ts';

interface Limits {
  readonly address: RateLimit;
  readonly pair: RateLimit;
  readonly account: RateLimit;
}

const limitsOf = (email: string, address: string): Limits => ({
  address: { bucket: `login:address:${address}`, everyMs: 6_000, burst: 30 },
  pair: { bucket: `login:pair:${address} ${email}`, everyMs: 30_000, burst: 10 },
  account: { bucket: `login:account:${email}`, everyMs: 10_000, burst: 100 },
});

/** Counts an attempt, or says when to come again. Nothing about it depends on whether the account exists. */
export async function countLogin(
  database: Database,
  email: string,
  address: string,
): Promise<Problem | undefined> {
  const { address: byAddress, pair, account } = limitsOf(email, address);
  for (const limit of [byAddress, pair, account]) {
    const waitMs = await takeAttempt(database, limit);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      return retryLater(429, 'too-many-attempts', `Too many attempts. Try again in ${seconds} s.`, seconds);
    }
  }
  return undefined;
}

export async function loginSucceeded(database: Database, email: string, address: string): Promise<void> {
  const { address: byAddress, pair, account } = limitsOf(email, address);
  await forgiveAttempts(database, pair);
  await giveBackAttempt(database, byAddress);
  await giveBackAttempt(database, account);
}
