/**
 * What a route is: one entry of the table from which the server binds handlers, checks permissions, limits
 * bodies and writes the OpenAPI document. Nothing about a route is said anywhere else.
 */
import type { z } from 'zod';
import type { Scope } from './permissions.ts';

/**
 * `public`: anybody. `session`: whoever is logged in, or a token, whatever its permissions. `person`: only who is
 * logged in: what concerns the account itself is no business of a token.
 */
export type Access = Scope | 'session' | 'person' | 'public';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface RouteSpec {
  readonly method: Method;
  /** As Express writes it. `:pipeline` is a pipeline's id: a token limited to one pipeline is checked against it. */
  readonly path: `/${string}`;
  readonly permission: Access;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** A JSON body. Absent: the route takes none, unless `input` is `stream`. */
  readonly body?: z.ZodType;
  /** `stream`: the handler reads `call.request` itself and keeps to `maxBody`. */
  readonly input?: 'stream';
  /** A JSON answer; what the schema does not name never leaves. Absent, without `media`: 204. */
  readonly response?: z.ZodType;
  /** Media type of an answer that is not JSON: the handler returns text, bytes or a readable stream. */
  readonly media?: string;
  /** Of an answer with a body; 200 when not given. */
  readonly status?: 200 | 201 | 202 | 404;
  /** Bytes, after decompression; `DEFAULT_MAX_BODY` when not given. */
  readonly maxBody?: number;
  /** The request must name in `If-Match` the version it edits. */
  readonly ifMatch?: true;
}

export const DEFAULT_MAX_BODY = 64 << 10;

export type RouteTable = Readonly<Record<string, RouteSpec>>;

/** Keeps the literal types, so that a handler is typed by its entry. */
export const defineRoutes = <const T extends RouteTable>(routes: T): T => routes;

export type ParamsOf<R> = R extends { params: infer S extends z.ZodType }
  ? z.output<S>
  : Record<string, never>;
export type QueryOf<R> = R extends { query: infer S extends z.ZodType } ? z.output<S> : Record<string, never>;
export type BodyOf<R> = R extends { body: infer S extends z.ZodType } ? z.output<S> : undefined;
/** What a client sends. */
export type SentBodyOf<R> = R extends { body: infer S extends z.ZodType } ? z.input<S> : undefined;
/** What a handler returns and a client reads; `undefined` for 204 and for routes with a media type. */
export type AnswerOf<R> = R extends { response: infer S extends z.ZodType } ? z.input<S> : undefined;
