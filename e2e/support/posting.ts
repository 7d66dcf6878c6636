/** Clients that post records as good ones do: the same key and body until there is an answer. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Door {
  readonly url: string;
  readonly token: string;
}

export interface Batch {
  readonly key: string;
  readonly text: string;
}

interface Taken {
  readonly accepted: number;
  readonly rejected: readonly unknown[];
}

const GIVE_UP_MS = 120_000;

/** Hangs up on the first attempt after `loseAfterMs`, whatever became of it, on each other one after `patienceMs`. */
export async function postUntilTaken(
  door: Door,
  batch: Batch,
  loseAfterMs?: number,
  patienceMs?: number,
): Promise<Taken> {
  const giveUp = Date.now() + GIVE_UP_MS;
  let lose = loseAfterMs ?? patienceMs;
  let last = '';
  while (Date.now() < giveUp) {
    try {
      const response = await post(door, batch, lose);
      lose = patienceMs;
      if (response.status === 200) return (await response.json()) as Taken;
      last = `${response.status} ${await response.text()}`;
      if (response.status !== 503 && response.status !== 429) throw new Refused(last);
      if (!Number(response.headers.get('retry-after'))) throw new Refused(`no Retry-After: ${last}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      lose = patienceMs;
      last = String(error);
    }
    await sleep(50);
  }
  throw new Error(`${batch.key} was not taken: ${last}`);
}

class Refused extends Error {}

function post({ url, token }: Door, { key, text }: Batch, loseAfterMs?: number): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: text,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      'idempotency-key': key,
    },
    ...(loseAfterMs === undefined ? {} : { signal: AbortSignal.timeout(loseAfterMs) }),
  });
}

/** Calls `send` on each, so many at a time; one that fails ends all. */
export async function inParallel<T>(
  items: readonly T[],
  clients: number,
  send: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < items.length) {
      try {
        await send(items[next++] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}
