/** Passwords: argon2id, and at most a few computed at once. */
import { hash, verify } from '@node-rs/argon2';
import { retryLater } from '../http/problem.ts';
import { gate } from './gate.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for an account that does not exist (`undefined`) as for one that does. */
  matches(stored: string | undefined, password: string): Promise<boolean>;
}

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING = 40;

export function passwords(): Passwords {
  const { run } = gate({ atOnce: AT_ONCE, waiting: WAITING });
  let decoy: Promise<string> | undefined;
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await run(work);
    if (result === 'full')
      throw retryLater(503, 'busy', 'Too many log-ins at once. Try again in a moment.', 1);
    return result;
  };
  return {
    hash: (password) => bounded(() => hash(password, COST)),
    matches: (stored, password) =>
      bounded(async () => {
        decoy ??= hash('nobody has this password', COST);
        const agrees = await verify(stored ?? (await decoy), password);
        return agrees && stored !== undefined;
      }),
  };
}
