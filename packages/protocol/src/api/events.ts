/** The table of all socket events, checked like the table of routes. */
import { z } from 'zod';
import { observation } from '../control/observed-state.ts';
import { DOCUMENT_EVENTS } from './document-events.ts';
import { bytes, defineEvents, done, type EventSpec, refusal } from './event-spec.ts';
import { pipelineId } from './fields.ts';
import { LOG_EVENTS } from './log-events.ts';

/** The socket's protocol: a client that speaks another is told so and sent away. */
export const SOCKET_PROTOCOL = 1;

const tapId = z.string().min(1).max(40);
const viewTableSchema = z.object({
  version: z.number().int(),
  nodes: z.array(
    z.object({
      node: z.string(),
      name: z.string(),
      kind: z.enum(['injector', 'computation', 'sink']),
      counts: z.array(z.string()),
    }),
  ),
  streams: z.array(z.string()),
});

export const tapRecord = z.object({
  stream: z.string(),
  key: z.string(),
  timestamp: z.number(),
  id: z.string(),
  pane: z
    .object({
      start: z.number(),
      end: z.number(),
      index: z.number(),
      timing: z.enum(['early', 'on-time', 'late']),
      last: z.boolean(),
      retracts: z.literal(true).optional(),
    })
    .optional(),
  /** The value as JSON text; with `cut` only its beginning. */
  text: z.string(),
  cut: z.boolean(),
  /** It went by before the tap was opened. */
  earlier: z.boolean(),
});
export type TapRecordShown = z.infer<typeof tapRecord>;

export const EVENTS = defineEvents({
  ...DOCUMENT_EVENTS,
  ...LOG_EVENTS,
  hello: {
    from: 'server',
    permission: 'session',
    summary: 'The first event: what the server speaks. `epoch` changes when it is started again.',
    payload: z.object({ protocol: z.number().int(), build: z.string(), epoch: z.string() }),
  },
  'view.open': {
    from: 'client',
    permission: 'live.read',
    summary: 'Watches a pipeline’s numbers. `after`: the last frame seen, to go on behind it.',
    payload: z.object({
      pipeline: pipelineId,
      after: z.object({ epoch: z.string().max(40), sequence: z.number().int().nonnegative() }).optional(),
    }),
    answer: done,
  },
  'view.close': {
    from: 'client',
    permission: 'live.read',
    summary: 'Watches it no more.',
    payload: z.object({ pipeline: pipelineId }),
    answer: done,
  },
  'view.frame': {
    from: 'server',
    permission: 'live.read',
    summary:
      'The newest numbers, at most ten times a second, and the next only after this was acknowledged. `table` comes with the first frame and whenever it is another; `body` is read with it. `skipped`: frames left out since the last.',
    payload: z.object({
      pipeline: pipelineId,
      sequence: z.number().int(),
      skipped: z.number().int(),
      table: viewTableSchema.optional(),
      body: bytes.optional(),
      /** What the pipeline does, when it is another than last told. */
      state: observation.optional(),
    }),
    answer: z.undefined(),
  },
  'tap.open': {
    from: 'client',
    permission: 'data.read',
    summary: 'Shows sampled records of streams, those a filter keeps if there is one.',
    payload: z.object({
      pipeline: pipelineId,
      streams: z.array(z.string().max(64)).min(1).max(32),
      recordsPerSecond: z.number().int().min(1).max(200).default(50),
      /** A TypeScript expression over `value` and `record` that says which records to show. */
      filter: z.string().max(4_000).optional(),
    }),
    answer: z.union([z.object({ ok: z.literal(true), tap: tapId }), refusal]),
  },
  'tap.close': {
    from: 'client',
    permission: 'data.read',
    summary: 'Closes a tap of this socket.',
    payload: z.object({ tap: tapId, pipeline: pipelineId }),
    answer: done,
  },
  'tap.records': {
    from: 'server',
    permission: 'data.read',
    summary:
      'Records that went by; the next only after these were acknowledged. `seen`: how many went by in all since the last; `filtered`: sampled and not kept by the filter; `dropped`: kept and left out because the client was slow.',
    payload: z.object({
      tap: tapId,
      pipeline: pipelineId,
      records: z.array(tapRecord),
      seen: z.number().int(),
      filtered: z.number().int(),
      dropped: z.number().int(),
    }),
    answer: z.undefined(),
  },
  'tap.ended': {
    from: 'server',
    permission: 'session',
    summary:
      'A tap is over: the pipeline stopped, the filter failed or took too long, a right was withdrawn.',
    payload: z.object({ tap: tapId, pipeline: pipelineId, code: z.string(), detail: z.string() }),
  },
  'view.ended': {
    from: 'server',
    permission: 'session',
    summary: 'A view is over: the right to it was withdrawn, or the pipeline is gone.',
    payload: z.object({ pipeline: pipelineId, code: z.string(), detail: z.string() }),
  },
});

export type Events = typeof EVENTS;
export type EventName = keyof Events;
export type ClientEvent = { [N in EventName]: Events[N]['from'] extends 'client' ? N : never }[EventName];
export type ServerEvent = Exclude<EventName, ClientEvent>;
export type EventPayload<N extends EventName> = z.output<Events[N]['payload']>;
export type EventAnswer<N extends ClientEvent> = z.input<Events[N]['answer']>;

export const eventNames = Object.keys(EVENTS) as readonly EventName[];
export const eventSpec = (name: EventName): EventSpec => EVENTS[name];
