/** Where `millrace run` takes the requests of a pipeline's HTTP injectors: a port on loopback, behind a token. */
import { randomBytes } from 'node:crypto';
import {
  connectors,
  type IngestListener,
  type IngestListenerOptions,
  openIngestListener,
} from '@millrace/connectors';
import type { Connectors } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';

export interface IngestDoor {
  connectorsFor(plan: RunPlan): Connectors;
  close(): Promise<void>;
}

export const DEFAULT_INGEST_PORT = 4781;
const HOST = '127.0.0.1';
const TOKEN = 'MILLRACE_INGEST_TOKEN';

const shut: IngestDoor = { connectorsFor: () => connectors, close: async () => undefined };

/** `port` undefined: the usual one, or any that is free. */
export async function openIngestDoor(
  plan: RunPlan,
  port: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): Promise<IngestDoor> {
  const injectors = plan.nodes.filter(({ type }) => type === 'injector/http');
  if (injectors.length === 0) return shut;
  const given = env[TOKEN];
  const token = given ?? randomBytes(24).toString('base64url');
  if (!/^\S+$/.test(token)) throw new Error(`${TOKEN} is empty or holds spaces: give a token without.`);
  const known = (pipeline: string, injector: string) =>
    (pipeline === plan.pipeline || pipeline === plan.name) &&
    injectors.some(({ id, name }) => id === injector || name === injector);
  const listener = await listen(port, { token, known, connectors, log });
  for (const { name } of injectors)
    log(
      `Post records for "${name}" to http://${HOST}:${listener.port}/in/${encodeURIComponent(plan.pipeline)}/${encodeURIComponent(name)}`,
    );
  log(
    given === undefined
      ? `  with the header  Authorization: Bearer ${token}  (of this run; ${TOKEN} gives one that stays)`
      : `  with the token of ${TOKEN}`,
  );
  return {
    connectorsFor: ({ pipeline, name }) => listener.connectorsFor({ id: pipeline, name }),
    close: () => listener.close(),
  };
}

async function listen(
  port: number | undefined,
  options: Omit<IngestListenerOptions, 'at'>,
): Promise<IngestListener> {
  const at = (number: number) => openIngestListener({ ...options, at: { host: HOST, port: number } });
  try {
    return await at(port ?? DEFAULT_INGEST_PORT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (port === undefined) return at(0);
    throw new Error(`Port ${port} is taken: give another one with --port.`);
  }
}
