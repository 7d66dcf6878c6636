/** Answers of the ingest listener: what became of a body's records, or a problem (RFC 9457) with a `code`. */
import type { ServerResponse } from 'node:http';
import type { Refusal } from './request-head.ts';
import type { PostOutcome } from './request-partition.ts';

/** How long one who is told to come again had better wait. */
const RETRY_AFTER_S = 1;
/** What is still on its way is read and dropped for so long, so that the client gets to read its answer. */
const LINGER_MS = 2_000;

export function replyOutcome(response: ServerResponse, outcome: PostOutcome): void {
  if (outcome.kind === 'conflict')
    return refuse(response, {
      status: 422,
      code: 'idempotency-key-reused',
      detail: 'This Idempotency-Key was used for another body: give each request a key of its own.',
    });
  if (outcome.kind === 'unavailable')
    return refuse(
      response,
      outcome.begun ? unknownOutcome() : unavailable('The pipeline is not taking records at present.'),
    );
  const { accepted, rejected, unlisted } = outcome.answer;
  send(response, 200, 'application/json', {
    accepted,
    rejected,
    ...(unlisted === 0 ? {} : { unlisted }),
  });
}

export function unavailable(detail: string): Refusal {
  return again({ status: 503, code: 'not-running', detail });
}

export function unknownOutcome(): Refusal {
  return again({
    status: 503,
    code: 'outcome-unknown',
    detail:
      'It is not known yet whether the records are committed. Send the same request again: with its Idempotency-Key no record goes in twice.',
  });
}

export function busy(): Refusal {
  return again({
    status: 429,
    code: 'busy',
    detail: 'More requests wait for this pipeline than it holds: send this one again in a while.',
  });
}

function again(refusal: Refusal): Refusal {
  return { ...refusal, headers: { 'retry-after': String(RETRY_AFTER_S) } };
}

export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, code, detail, headers = {} } = refusal;
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const problem = { title: TITLES[status] ?? 'Refused', status, code, detail };
  if (response.req.complete) return send(response, status, 'application/problem+json', problem);
  // The rest of the body would be read as the next request. Ending at once would reset the connection, and with it
  // take away the answer from a client that still sends; its length tells the client that this is all.
  response.setHeader('connection', 'close');
  response.write(begin(response, status, 'application/problem+json', problem));
  linger(response);
}

function linger(response: ServerResponse): void {
  const { req } = response;
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.once('end', end);
  req.once('close', end);
  req.resume();
}

function send(response: ServerResponse, status: number, type: string, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.end(begin(response, status, type, body));
}

/** Writes the head; returns what follows it. */
function begin(response: ServerResponse, status: number, type: string, body: unknown): string {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  return text;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authorised',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Key was used before',
  429: 'Too many requests',
  503: 'Unavailable',
};
