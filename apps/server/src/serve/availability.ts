/** Whether the database answers. While it is away, requests are refused at once: waiting ones would pile up. */
import type { Store } from '@millrace/store';
import { type Problem, retryLater } from '../http/problem.ts';

export type Availability = () => Problem | undefined;

export function databaseAvailability(store: Pick<Store, 'onTrouble'>): Availability {
  let away = false;
  store.onTrouble(({ kind }) => {
    if (kind === 'away' || kind === 'taken-over') away = true;
    if (kind === 'back') away = false;
  });
  return () =>
    away
      ? retryLater(503, 'database-away', 'The database does not answer; the server waits for it.', 2)
      : undefined;
}
