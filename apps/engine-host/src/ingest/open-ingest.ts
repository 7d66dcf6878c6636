/**
 * Where this process takes posted records: a port on loopback that any program of the machine can reach, so that
 * a secret of this process's lifetime, told to the server alone, decides who may.
 */
import { randomBytes } from 'node:crypto';
import { connectors, type IngestListener, openIngestListener } from '@millrace/connectors';
import type { IngestDoor } from '@millrace/protocol/control';

export async function openIngest(
  log: (text: string) => void,
): Promise<{ readonly listener: IngestListener; readonly door: IngestDoor }> {
  const token = randomBytes(32).toString('base64url');
  const listener = await openIngestListener({ at: { host: '127.0.0.1', port: 0 }, token, connectors, log });
  return { listener, door: { port: listener.port as number, token } };
}
