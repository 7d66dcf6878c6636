/**
 * sink/http: sends records to an address, at least once (P7).
 *
 * Invariants
 *   - A mark covers only records that the target has taken or that are dead letters.
 *   - Records of one key are sent in their order: a key has one lane, and a lane has one request under way.
 *   - While the target is away nothing is given up: the same request is sent again until it is answered.
 *   - After a kill, what was sent behind the last mark is sent again, under the same idempotency keys where a
 *     request holds one record.
 */
import { setMaxListeners } from 'node:events';
import type {
  OpenSink,
  SinkBatch,
  SinkConnector,
  SinkContext,
  SinkDeadLetter,
  SinkRow,
} from '@millrace/engine';
import { ConnectorError, errorCode } from '../shared/connector-error.ts';
import { httpClient } from '../shared/http-client.ts';
import { Redaction } from '../shared/redaction.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import { Progress } from './progress.ts';
import { Sender } from './sender.ts';
import { type HttpSinkConfig, httpSinkConfig } from './spec.ts';

const DEFAULT_TIMEOUT = '30s';
const DEFAULT_SIZE = 100;
/** Requests a lane makes before the mark may move. */
const STEP_REQUESTS = 64;

export const httpSink: SinkConnector = {
  egress: 'line',
  async open(config, context): Promise<OpenSink> {
    const settings = readSettings(httpSinkConfig, config, context);
    const sender = await senderOf(settings, context);
    const progress = await Progress.read(context);
    const parallel = settings.parallel ?? 1;
    const step = STEP_REQUESTS * parallel * sizeOf(settings);
    return {
      get through() {
        return progress.through;
      },
      async deliver(batch, signal) {
        return { rejected: await deliver(batch, signal, { sender, progress, parallel, step }) };
      },
      close: async () => sender.close(),
    };
  },
};

interface Parts {
  readonly sender: Sender;
  readonly progress: Progress;
  readonly parallel: number;
  readonly step: number;
}

async function deliver(batch: SinkBatch, signal: AbortSignal, parts: Parts): Promise<number> {
  const { sender, progress, parallel, step } = parts;
  if (batch.through <= progress.through) return 0;
  const rows = batch.rows.filter((row) => progress.isAhead(row));
  let rejected = 0;
  for (let from = 0; from < rows.length; from += step) {
    const part = rows.slice(from, from + step);
    const letters = await sendInLanes(part, { sender, parallel, signal });
    rejected += letters.length;
    if (from + step < rows.length) await progress.reach(part.at(-1) as SinkRow, letters);
    else await progress.finish(batch.through, letters);
  }
  if (rows.length === 0) await progress.finish(batch.through, []);
  return rejected;
}

/** One lane that fails stops the others. */
async function sendInLanes(
  rows: readonly SinkRow[],
  { sender, parallel, signal }: { sender: Sender; parallel: number; signal: AbortSignal },
): Promise<readonly SinkDeadLetter[]> {
  const stop = new AbortController();
  setMaxListeners(parallel + 10, stop.signal);
  const outer = (): void => stop.abort();
  signal.addEventListener('abort', outer, { once: true });
  if (signal.aborted) outer();
  try {
    const lanes = lanesOf(rows, parallel);
    const sent = lanes.map((lane) =>
      sender.send(lane, stop.signal).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    );
    const outcomes = await Promise.allSettled(sent);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    // The lanes that were stopped only say so.
    const first = failed.find(({ reason }) => errorCode(reason) !== 'stopped');
    if (failed.length > 0) throw (first ?? failed[0])?.reason;
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  } finally {
    signal.removeEventListener('abort', outer);
  }
}

/** Rows of one key are in one lane. */
function lanesOf(rows: readonly SinkRow[], parallel: number): readonly (readonly SinkRow[])[] {
  if (parallel === 1) return [rows];
  const lanes: SinkRow[][] = Array.from({ length: parallel }, () => []);
  for (const row of rows) lanes[hashOf(row.key) % parallel]?.push(row);
  return lanes.filter((lane) => lane.length > 0);
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function sizeOf({ batch = 'one', size = DEFAULT_SIZE }: HttpSinkConfig): number {
  return batch === 'one' ? 1 : size;
}

async function senderOf(settings: HttpSinkConfig, given: SinkContext): Promise<Sender> {
  // Its own, beside the one around every connector: what a target answers is looked through before it is cut short.
  const redaction = new Redaction();
  const secret = async (name: string): Promise<string> => redaction.learn(await given.secret(name));
  const context = { ...given, secret };
  const text = typeof settings.url === 'string' ? settings.url : await context.secret(settings.url.secret);
  const shown = typeof settings.url === 'string' ? shownUrl(text) : `the secret "${settings.url.secret}"`;
  const fault = (reason: string, remedy: string): ConnectorError =>
    new ConnectorError({
      code: 'settings',
      node: context.nodeName,
      tried: `send to ${shown}`,
      reason,
      remedy,
    });
  if (!URL.canParse(text.trim()) || !/^https?:$/.test(new URL(text.trim()).protocol))
    throw fault('it is not an address with http:// or https://.', 'Write the secret anew.');
  const url = new URL(text.trim());
  const headers = await headersOf(settings, context, fault);
  if (url.username !== '' || url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization ??= `Basic ${Buffer.from(pair).toString('base64')}`;
    url.username = url.password = '';
  }
  url.hash = '';
  return new Sender({
    context,
    client: httpClient(context.walls, settings.parallel ?? 1),
    url,
    shown,
    headers,
    method: settings.method ?? 'POST',
    batching: settings.batch ?? 'one',
    content: settings.body ?? 'record',
    size: sizeOf(settings),
    redact: (said) => redaction.text(said),
    timeoutMs: durationMs(settings.timeout ?? DEFAULT_TIMEOUT),
  });
}

async function headersOf(
  { headers = {} }: HttpSinkConfig,
  context: SinkContext,
  fault: (reason: string, remedy: string) => ConnectorError,
): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const [name, content] of Object.entries(headers)) {
    const text = typeof content === 'string' ? content : (await context.secret(content.secret)).trim();
    if (!/^[\x20-\x7e\t]*$/.test(text))
      throw fault(
        `the secret of the header ${name} holds a character that headers cannot.`,
        'Write it anew.',
      );
    read[name.toLowerCase()] = text;
  }
  return read;
}

/** Without its query, which often holds a key. */
function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
