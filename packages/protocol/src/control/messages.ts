/**
 * The messages of the control channel. Both ends are ours and trusted; they are validated to find bugs where they
 * are made, not where they are felt.
 *
 * CP1 Of one pipeline at most one `progress` is unacknowledged; newer values replace what waits.
 * CP5 Of one tap at most one `tap` message is unacknowledged; what is sampled meanwhile waits, bounded, and what
 *     finds no room is counted.
 * CP2 Every `request` gets exactly one `answer` with its id, unless the channel closes first.
 * CP3 The first message of a host is `hello`; the server then says `begin`, once.
 * CP4 A `nudge` carries nothing: the row in Postgres is what counts, so a lost nudge loses no wish.
 */
import { z } from 'zod';
import { HOST_REQUESTS, type HostRequestKind } from './host-requests.ts';
import { observation } from './observed-state.ts';
import { pipelineProgress } from './progress.ts';
import { tapBatch } from './tap-messages.ts';

const kinds = Object.keys(HOST_REQUESTS) as [HostRequestKind, ...HostRequestKind[]];

/** How the host reaches the database the server has opened. */
export const databaseAddress = z.union([
  z.object({ socketFolder: z.string(), port: z.number().int() }),
  /** `term`: of the server it belongs to. */
  z.object({ url: z.string(), term: z.number().int().optional() }),
]);
export type DatabaseAddress = z.infer<typeof databaseAddress>;

/** Where the host takes posted records, on loopback: from its server only, which alone is told the token. */
export const ingestDoor = z.object({ port: z.number().int(), token: z.string() });
export type IngestDoor = z.infer<typeof ingestDoor>;

export const hostSettings = z.object({
  database: databaseAddress,
  /** Absolute. File connectors resolve in `<dataDir>/files/<workspace>`. */
  dataDir: z.string(),
  /** Start no pipeline that is paused, not even its workers, until somebody resumes it. */
  holdPaused: z.boolean(),
});
export type HostSettings = z.infer<typeof hostSettings>;

export const toHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), settings: hostSettings }),
  /** The deployment's row of this pipeline may have changed. */
  z.object({ type: z.literal('nudge'), pipeline: z.string() }),
  z.object({ type: z.literal('request'), id: z.number().int(), kind: z.enum(kinds), body: z.unknown() }),
  z.object({ type: z.literal('progress-taken'), pipeline: z.string() }),
  z.object({ type: z.literal('tap-taken'), tap: z.string() }),
  z.object({ type: z.literal('ping'), id: z.number().int() }),
  /** End within this time: what is not in order by then is left to the next start, which loses nothing. */
  z.object({ type: z.literal('stop'), withinMs: z.number().int() }),
]);
export type ToHost = z.infer<typeof toHost>;

export const toServer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), pid: z.number().int(), protocol: z.number().int() }),
  /** The database is open, and older hosts are fenced. */
  z.object({ type: z.literal('ready'), ingest: ingestDoor }),
  z.object({ type: z.literal('observed'), observation }),
  z.object({ type: z.literal('progress'), progress: pipelineProgress }),
  z.object({
    type: z.literal('tap'),
    tap: z.string(),
    batches: z.array(tapBatch),
    /** Samples that found no room since the last message. */
    dropped: z.number(),
  }),
  /** The run it watched is over; it is closed. */
  z.object({ type: z.literal('tap-ended'), tap: z.string() }),
  /** For the product's own log. */
  z.object({ type: z.literal('note'), pipeline: z.string().optional(), text: z.string() }),
  z.object({
    type: z.literal('answer'),
    id: z.number().int(),
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('answer'), body: z.unknown() }),
      /** `code` is for programs: `unknown-pipeline`, `not-running`, `failed`, … */
      z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
    ]),
  }),
  z.object({ type: z.literal('pong'), id: z.number().int() }),
]);
export type ToServer = z.infer<typeof toServer>;
