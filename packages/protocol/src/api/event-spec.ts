/** What an entry in the table of socket events is, and what several of them share. */
import { z } from 'zod';
import type { Access } from './route.ts';

export interface EventSpec {
  /** Who sends it. */
  readonly from: 'client' | 'server';
  /** Of `client` events: what the sender needs. Of `server` events: what the receiver needs. */
  readonly permission: Access;
  readonly summary: string;
  readonly payload: z.ZodType;
  /** What the acknowledgement carries. */
  readonly answer?: z.ZodType;
}

export type EventTable = Readonly<Record<string, EventSpec>>;

export const defineEvents = <const T extends EventTable>(events: T): T => events;

/** What the answer to a `client` event says when it is refused; `code` as in a problem of a route. */
export const refusal = z.object({
  ok: z.literal(false),
  code: z.string(),
  detail: z.string(),
});
export const done = z.union([z.object({ ok: z.literal(true) }), refusal]);

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
