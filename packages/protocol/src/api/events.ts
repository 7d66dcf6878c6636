/** The table of all socket events, checked like the table of routes. */
import type { z } from 'zod';
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

export const EVENTS = defineEvents({});
