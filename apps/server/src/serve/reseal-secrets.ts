/** A key was put in front of the old one: what the old one sealed is sealed anew, so that it can go. */
import { type KeyringPlace, openKeyring, type Store, secretStore } from '@millrace/store';
import type { Logger } from 'pino';

export async function resealSecrets({ database }: Store, place: KeyringPlace, log: Logger): Promise<void> {
  const secrets = secretStore(database, () => openKeyring(place));
  const { resealed, unopened } = await secrets.rotate();
  if (resealed > 0) log.info({ resealed }, 'secrets were sealed anew with the first key');
  if (unopened > 0) log.warn({ unopened }, 'no key opens some secrets: give the old key, or write them anew');
}
