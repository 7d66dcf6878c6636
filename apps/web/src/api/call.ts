/**
 * The one place that fetches. A call is typed by its route's entry in the table of the protocol; a refusal is
 * thrown as `ApiError`.
 */

import {
  type AnswerOf,
  type ParamsOf,
  type QueryOf,
  type RouteId,
  type RouteOf,
  routeSpec,
  type SentBodyOf,
} from '@millrace/protocol/api';
import { apiWords } from '../text/strings/api.ts';
import { ApiError, readProblem } from './api-error.ts';
import { buildRequest } from './build-request.ts';
import { sessionEnded } from './session-ended.ts';

type Given<Key extends string, T> = T extends undefined
  ? { readonly [K in Key]?: undefined }
  : T extends Record<string, never>
    ? { readonly [K in Key]?: undefined }
    : { readonly [K in Key]: T };

export type CallInput<Id extends RouteId> = Given<'params', ParamsOf<RouteOf<Id>>> &
  Given<'body', SentBodyOf<RouteOf<Id>>> & {
    readonly query?: Partial<QueryOf<RouteOf<Id>>>;
    readonly ifMatch?: string | number | undefined;
    /** For routes that take bytes. */
    readonly stream?: Blob;
    readonly signal?: AbortSignal | undefined;
  };

type Arguments<Id extends RouteId> =
  Record<string, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];

export interface Tagged<T> {
  readonly data: T;
  /** For `ifMatch` of the next write. */
  readonly etag: string | undefined;
}

export async function call<Id extends RouteId>(
  id: Id,
  ...[input]: Arguments<Id>
): Promise<AnswerOf<RouteOf<Id>>> {
  return (await callTagged(id, ...([input] as Arguments<Id>))).data;
}

export async function callTagged<Id extends RouteId>(
  id: Id,
  ...[input]: Arguments<Id>
): Promise<Tagged<AnswerOf<RouteOf<Id>>>> {
  const response = await send(id, input);
  const data = routeSpec(id).response ? await response.json() : undefined;
  return { data: data as AnswerOf<RouteOf<Id>>, etag: response.headers.get('etag') ?? undefined };
}

/** Of routes that answer with a file. */
export async function callForBlob<Id extends RouteId>(id: Id, ...[input]: Arguments<Id>): Promise<Blob> {
  return (await send(id, input)).blob();
}

async function send<Id extends RouteId>(id: Id, input: CallInput<Id> | undefined): Promise<Response> {
  const { url, method, headers, body } = buildRequest(id, input ?? {});
  const response = await reach(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    signal: input?.signal ?? null,
  });
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (problem.code === 'not-logged-in') sessionEnded.report();
  throw problem;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const detail = apiWords.unreachable;
    throw new ApiError({ status: 0, code: 'unreachable', detail }, error);
  }
}
