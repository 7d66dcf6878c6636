/** Recorded cases and records that are tried out: both run a draft's code in a worker of the editor that asks. */
import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { issueSchema } from './catalog.ts';

const MAX_CASE = 256 << 10;
/** Escapes take room. */
const MAX_BODY = 600 << 10;

const time = z.number();
const text = z.string();

const timer = z.object({
  tag: text,
  time,
  clock: z.enum(['watermark', 'wall']),
  hold: time.exactOptional(),
});

const storedKey = z.object({
  state: text.exactOptional().meta({ description: 'JSON; absent where no state is set.' }),
  maps: z.array(z.tuple([text, z.array(z.tuple([text, text]))])),
  timers: z.array(timer),
});

const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('output'),
    stream: text,
    key: text,
    timestamp: time,
    value: text.meta({ description: 'JSON.' }),
    pane: text.exactOptional(),
  }),
  z.object({ kind: z.literal('late'), stream: text, key: text, timestamp: time, value: text }),
  z.object({ kind: z.literal('watermark'), time: time.nullable() }),
  z.object({ kind: z.literal('log'), level: text, key: text, text }),
  z.object({ kind: z.literal('error'), text }),
]);

const difference = z.object({
  kind: z.enum(['case', 'error', 'missing', 'unexpected', 'order', 'late', 'state']),
  step: z.int().exactOptional(),
  stream: text.exactOptional(),
  key: text.exactOptional(),
  expected: text.exactOptional().meta({ description: 'JSON of a record, or of a state.' }),
  actual: text.exactOptional(),
  message: text,
});

export const caseReport = z.object({
  passed: z.boolean(),
  differences: z.array(difference),
  steps: z.array(
    z.object({
      events: z.array(event),
      keys: z.array(
        z.object({ key: text, before: storedKey.exactOptional(), after: storedKey.exactOptional() }),
      ),
      ms: z.number(),
    }),
  ),
  cut: z.boolean().meta({ description: 'Something was left out: there was too much of it.' }),
});
export type CaseReportShown = z.infer<typeof caseReport>;

const result = z.object({
  path: text.nullable().meta({ description: 'The file of a recorded case.' }),
  node: text.nullable(),
  issues: z.array(issueSchema).meta({ description: 'Why the code could not be built.' }),
  report: caseReport,
});

export const caseRoutes = defineRoutes({
  'cases.run': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/draft/cases',
    permission: 'graph.write',
    summary:
      'Runs cases against the draft’s code in a worker without network and secrets, on a clock of its own. `queued`: as many editors as may have a worker; ask again, the place is kept for a few seconds.',
    params: z.object({ pipeline: z.string().max(64) }),
    body: z.object({
      editor: z.string().min(1).max(40).meta({ description: 'Any name; one worker for each.' }),
      try: z
        .object({ node: z.string().max(64), text: z.string().max(MAX_CASE) })
        .optional()
        .meta({ description: 'A case that is in no file. Without it: the recorded cases of the draft.' }),
      paths: z.array(z.string().max(300)).max(500).optional().meta({ description: 'Only these files.' }),
    }),
    maxBody: MAX_BODY,
    response: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('done'), revision: z.int(), results: z.array(result) }),
      z.object({ kind: z.literal('queued'), ahead: z.int() }),
    ]),
  },
});
