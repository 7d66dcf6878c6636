/** Events of what a pipeline's code logs: `ctx.log` and `console`. */
import { z } from 'zod';
import { logLine } from '../control/log-line.ts';
import { defineEvents, done, refusal } from './event-spec.ts';
import { pipelineId } from './fields.ts';

const logs = z.string().min(1).max(40);

export type ShownLogLine = z.infer<typeof logLine>;

export const LOG_EVENTS = defineEvents({
  'logs.open': {
    from: 'client',
    permission: 'data.read',
    summary: 'Shows what the code of a pipeline logs: the latest lines that are kept, then those that come.',
    payload: z.object({ pipeline: pipelineId }),
    answer: z.union([z.object({ ok: z.literal(true), logs }), refusal]),
  },
  'logs.close': {
    from: 'client',
    permission: 'data.read',
    summary: 'Closes logs of this socket.',
    payload: z.object({ logs, pipeline: pipelineId }),
    answer: done,
  },
  'logs.lines': {
    from: 'server',
    permission: 'data.read',
    summary:
      'Lines, oldest first; the next only after these were acknowledged. `cut`: written and not kept, for the code logs faster than anybody reads; `missed`: kept no longer when this reader came to them. `restarted`: the engine was started again, and what was kept before is gone.',
    payload: z.object({
      logs,
      pipeline: pipelineId,
      lines: z.array(logLine),
      cut: z.number().int(),
      missed: z.number().int(),
      restarted: z.boolean(),
    }),
    answer: z.undefined(),
  },
  'logs.closed': {
    from: 'server',
    permission: 'session',
    summary: 'Logs are over: a right was withdrawn, or the pipeline is gone.',
    payload: z.object({ logs, pipeline: pipelineId, code: z.string(), detail: z.string() }),
  },
});
