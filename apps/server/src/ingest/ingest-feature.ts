/**
 * `POST /in/<pipeline>/<injector>` of the server: who may, whether the pipeline runs, how often; the rest is the
 * engine host's. What it answers is passed on as it is said there.
 */
import { type IngestAnswer, MAX_INGEST_BYTES } from '@millrace/protocol/api';
import type { Deployment, Store } from '@millrace/store';
import type { Actor } from '../http/actor.ts';
import type { Call, Feature } from '../http/handler.ts';
import { notFound, Problem, retryLater } from '../http/problem.ts';
import { tooLarge } from '../http/read-body.ts';
import { type Forwarded, forwardBody, type HostDoor } from './forward-body.ts';
import { IngestRate } from './ingest-rate.ts';

export interface IngestOptions {
  readonly deployments: Pick<Store['deployments'], 'get'>;
  /** Where the engine host takes requests; undefined while there is none. */
  readonly host: { readonly ingest: HostDoor | undefined };
  readonly rate?: IngestRate;
}

/** What a problem of the host may say in headers. */
const PASSED_BACK = ['retry-after', 'accept', 'accept-encoding'] as const;
const LINGER_MS = 1_000;

export function ingestFeature({ deployments, host, rate = new IngestRate() }: IngestOptions): Feature {
  return (bind) => {
    bind('ingest.post', async (call) => {
      const refusal = await refusalOf(call, deployments, rate);
      if (refusal !== undefined) return endingBody(call, refusal);
      const door = host.ingest;
      if (door === undefined) return endingBody(call, away(false));
      const { pipeline, injector } = call.params;
      const path = `/in/${encodeURIComponent(pipeline)}/${encodeURIComponent(injector)}`;
      const answer = answerOf(await forwardBody(call.request, door, path));
      return answer instanceof Problem ? endingBody(call, answer) : answer;
    });
  };
}

async function refusalOf(
  { actor, workspace, params, request }: Call<'ingest.post'>,
  deployments: IngestOptions['deployments'],
  rate: IngestRate,
): Promise<Problem | undefined> {
  if (!rate.take(nameOf(actor)))
    return retryLater(
      429,
      'too-many-requests',
      'This token posts too often: put more records into a request.',
      1,
    );
  if (Number(request.headers['content-length'] ?? 0) > MAX_INGEST_BYTES) return tooLarge(MAX_INGEST_BYTES);
  const deployment = await deployments.get(params.pipeline);
  if (deployment === undefined || deployment.workspace !== workspace) return notFound('deployed pipeline');
  return stateOf(deployment);
}

function stateOf({ desired }: Deployment): Problem | undefined {
  if (desired === 'running') return undefined;
  return retryLater(503, 'not-running', `The pipeline is ${desired}.`, 10);
}

function answerOf(forwarded: Forwarded): IngestAnswer | Problem {
  if (forwarded.kind === 'away') return away(forwarded.begun);
  // Nobody reads it.
  if (forwarded.kind === 'client-gone') return new Problem(400, 'broken-off', 'The body broke off.');
  const { status, headers, body } = forwarded;
  if (status === 200) return body as IngestAnswer;
  const { code, detail } = body as { code: string; detail: string };
  // The deployment is there, so its run is only on its way.
  if (code === 'unknown-pipeline') return retryLater(503, 'not-running', 'The pipeline is starting.', 1);
  // The secret of another host than the one that answered.
  if (status === 401) return away(true);
  return new Problem(status, code, detail, { headers: passedBack(headers) });
}

function passedBack(headers: Extract<Forwarded, { kind: 'answered' }>['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED_BACK) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

const away = (begun: boolean): Problem =>
  begun
    ? retryLater(
        503,
        'outcome-unknown',
        'It is not known yet whether the records are committed. Send the same request again: with its Idempotency-Key no record goes in twice.',
        1,
      )
    : retryLater(503, 'not-running', 'The engine host is starting.', 1);

/**
 * A refusal before the body's end: the rest is no next request. It is read for a moment, since a connection that
 * is closed on a client that still sends takes the answer away from it.
 */
async function endingBody({ request, response }: Call<'ingest.post'>, problem: Problem): Promise<Problem> {
  if (request.complete) return problem;
  request.resume();
  const over = new Promise((resolve) => {
    request.once('end', resolve).once('close', resolve);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, LINGER_MS);
  });
  await Promise.race([over, late]);
  clearTimeout(timer);
  if (!request.complete) response.setHeader('Connection', 'close');
  return problem;
}

function nameOf(actor: Actor): string {
  if (actor.kind === 'token') return actor.token;
  return actor.kind === 'account' ? actor.account : '';
}
