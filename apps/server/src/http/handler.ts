/** What a handler gets and gives, typed by the route's entry in the table. */
import type { Readable } from 'node:stream';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteId, RouteOf } from '@millrace/protocol/api';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Actor } from './actor.ts';
import type { Problem } from './problem.ts';

export interface Call<Id extends RouteId> {
  readonly params: ParamsOf<RouteOf<Id>>;
  readonly query: QueryOf<RouteOf<Id>>;
  readonly body: BodyOf<RouteOf<Id>>;
  readonly actor: Actor;
  readonly workspace: string;
  /** The tag of `If-Match` without quotes; always there where the route demands it. */
  readonly ifMatch: string | undefined;
  /** Says which version the answer is (header `ETag`). */
  etag(version: string | number): void;
  /** For bodies that are streams, and headers of the answer. Handlers never end the response themselves. */
  readonly request: Request;
  readonly response: Response;
  readonly log: Logger;
}

type Answer<R> = R extends { media: string }
  ? string | Uint8Array | Readable
  : R extends { response: object }
    ? AnswerOf<R>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer need not return one
      undefined | void;

/** What one route answers, or a `Problem`. */
export type Result<Id extends RouteId> = Answer<RouteOf<Id>> | Problem;

export type Handler<Id extends RouteId> = (call: Call<Id>) => Result<Id> | Promise<Result<Id>>;

export type Bind = <Id extends RouteId>(id: Id, handler: Handler<Id>) => void;

/** A part of the server: binds its handlers. What it needs it closes over. */
export type Feature = (bind: Bind) => void;
