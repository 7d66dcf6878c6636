/** Events of a draft that several people edit: its document, who is in it, what each may take back. */
import { z } from 'zod';
import { bytes, defineEvents, done, refusal } from './event-spec.ts';
import { pipelineId } from './fields.ts';

/** Of one message; what is longer is sent in parts. */
export const DOCUMENT_PART = 256 * 1024;
/** Of a history as JSON text; the oldest steps are left out. */
export const MAX_HISTORY = 400_000;
const MAX_PRESENCE = 4_000;

const clientId = z.number().int().min(0).max(0xffff_ffff);
const short = z.string().max(64);
const position = z.tuple([z.number(), z.number()]);

/** What somebody shows of themselves; who it is the server says. */
export const presenceState = z
  .object({
    cursor: position.optional(),
    selection: z.array(short).max(100).optional(),
    /** The node or file whose code is open. */
    code: short.optional(),
    /** Anchor and head in that code, as the document names places in a text. */
    range: z.tuple([z.string().max(400), z.string().max(400)]).optional(),
    /** Where nodes are being dragged to. */
    dragging: z
      .array(z.tuple([short, z.number(), z.number()]))
      .max(40)
      .optional(),
  })
  .refine((state) => JSON.stringify(state).length <= MAX_PRESENCE, 'This is more than can be shown.');
export type PresenceState = z.infer<typeof presenceState>;

const peer = z.object({
  client: clientId,
  account: z.string(),
  name: z.string(),
  state: presenceState,
});
export type Peer = z.infer<typeof peer>;

const storedHistory = z.object({ revision: z.number().int(), history: z.string() });

export const DOCUMENT_EVENTS = defineEvents({
  'doc.open': {
    from: 'client',
    permission: 'graph.read',
    summary:
      'Opens a draft’s document and follows it. `client` and `vector`: what this page had before the connection was lost.',
    payload: z.object({
      pipeline: pipelineId,
      client: clientId.optional(),
      epoch: z.number().int().optional(),
      vector: bytes.optional(),
    }),
    answer: z.union([
      z.object({
        ok: z.literal(true),
        epoch: z.number().int(),
        /** The id under which this connection edits. */
        client: clientId,
        /** All of the document, or what `vector` lacks. */
        update: bytes,
        /** What the server has; what goes beyond it is to be sent. */
        vector: bytes,
        canEdit: z.boolean(),
        /** Why not. */
        detail: z.string().optional(),
        history: storedHistory,
        peers: z.array(peer),
      }),
      refusal,
    ]),
  },
  'doc.close': {
    from: 'client',
    permission: 'graph.read',
    summary: 'Follows it no more.',
    payload: z.object({ pipeline: pipelineId }),
    answer: done,
  },
  'doc.update': {
    from: 'client',
    permission: 'graph.write',
    summary:
      'Edits. Acknowledged when stored. With `more` another part of the same update follows. The code `resync` says that something the edits build on is missing: open the document again.',
    payload: z.object({
      pipeline: pipelineId,
      bytes: bytes.refine(({ length }) => length <= DOCUMENT_PART, 'A part has at most 256 kB.'),
      more: z.boolean().optional(),
    }),
    answer: done,
  },
  'doc.presence': {
    from: 'client',
    permission: 'graph.read',
    summary: 'What this page shows of its user.',
    payload: z.object({ pipeline: pipelineId, state: presenceState }),
    answer: done,
  },
  'doc.history': {
    from: 'client',
    permission: 'graph.write',
    summary:
      'Keeps what this user may take back: `steps` are added; `history` replaces all, if it was made from `base`.',
    payload: z.object({
      pipeline: pipelineId,
      base: z.number().int(),
      steps: z.string().max(MAX_HISTORY).optional(),
      history: z.string().max(MAX_HISTORY).optional(),
    }),
    answer: z.union([
      z.object({ ok: z.literal(true), revision: z.number().int() }),
      refusal.extend({ current: storedHistory.optional() }),
    ]),
  },
  'doc.news': {
    from: 'server',
    permission: 'graph.read',
    summary:
      'What others did since the last; the next only after this was acknowledged. `history`: another page of the same user added to it.',
    payload: z.object({
      pipeline: pipelineId,
      updates: z.array(bytes),
      peers: z.array(peer),
      gone: z.array(clientId),
      history: storedHistory.optional(),
      canEdit: z.boolean().optional(),
      detail: z.string().optional(),
    }),
    answer: z.undefined(),
  },
  'doc.closed': {
    from: 'server',
    permission: 'session',
    summary:
      'The document is followed no more: the right to it was withdrawn, the pipeline is gone, or (`renewed`, `behind`) it has to be opened again.',
    payload: z.object({ pipeline: pipelineId, code: z.string(), detail: z.string() }),
  },
});
