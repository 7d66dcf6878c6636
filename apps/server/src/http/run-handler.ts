/** From an HTTP request to a handler's typed call, and from its result to the response. */
import { Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import type { RouteId, RouteSpec } from '@millrace/protocol/api';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type Actor, judge } from './actor.ts';
import { entityTag, readIfMatch } from './entity-tag.ts';
import type { Call, Handler } from './handler.ts';
import { Problem } from './problem.ts';

export interface Exchange {
  readonly spec: RouteSpec;
  readonly request: Request;
  readonly response: Response;
  readonly actor: Actor;
  readonly log: Logger;
}

export async function runHandler<Id extends RouteId>(
  handler: Handler<Id>,
  exchange: Exchange,
): Promise<void> {
  const result: unknown = await handler(toCall(exchange) as Call<Id>);
  if (result instanceof Problem) throw result;
  await send(exchange, result);
}

/** Throws when the actor may not; before anything of the request but its path is looked at. */
export function requireAccess(actor: Actor, spec: RouteSpec, pipeline: string | undefined): void {
  const verdict = judge(actor, spec.permission, pipeline);
  if (verdict === 'unauthenticated')
    throw new Problem(401, 'not-logged-in', 'Log in, or send an API token as “Authorization: Bearer …”.');
  if (verdict === 'forbidden') throw forbidden(spec);
}

const forbidden = ({ permission }: RouteSpec): Problem =>
  permission === 'person'
    ? new Problem(403, 'not-allowed', 'This needs a person who is logged in; an API token may not.')
    : new Problem(403, 'not-allowed', `This needs the permission ${permission}, which you do not have here.`);

function toCall({ spec, request, response, actor, log }: Exchange): Call<RouteId> {
  const call = {
    params: parse(spec.params, withoutZeros(request.params, 'the address'), 'the address'),
    query: parse(spec.query, withoutZeros(request.query, 'the query'), 'the query'),
    body: spec.body && parse(spec.body, request.body ?? {}, 'the body'),
    actor,
    workspace: actor.workspace,
    ifMatch: readIfMatch(request.headers['if-match'], spec.ifMatch === true),
    etag: (version: string | number) => void response.setHeader('ETag', entityTag(version)),
    request,
    response,
    log,
  };
  return call as unknown as Call<RouteId>;
}

/** No text column takes a zero byte: one would come back from the database as a fault of ours. */
function withoutZeros<T extends object>(given: T, where: string): T {
  if (
    Object.values(given)
      .flat()
      .some((text) => typeof text === 'string' && text.includes('\0'))
  )
    throw new Problem(400, 'invalid', `Something in ${where} is wrong: it holds a zero byte.`);
  return given;
}

function parse(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  const first = issues[0];
  const detail = first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'not as expected';
  throw new Problem(400, 'invalid', `Something in ${where} is wrong: ${detail}`, { issues });
}

async function send({ spec, response }: Exchange, result: unknown): Promise<void> {
  response.status(spec.response || spec.media ? (spec.status ?? 200) : 204);
  if (spec.media) return sendMedia(response, spec.media, result as string | Uint8Array | Readable);
  if (!spec.response) return void response.end();
  // Parsing strips what the schema does not name: a column added to a row does not leak by itself.
  response.json(spec.response.parse(result));
}

async function sendMedia(response: Response, media: string, result: string | Uint8Array | Readable) {
  // A handler that serves files of many kinds has said which this is.
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', media);
  if (result instanceof Readable) await pipe(result, response);
  else response.end(result);
}
