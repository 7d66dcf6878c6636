/** What `ctx.log` or `console` wrote, as people look for it. */
import { z } from 'zod';

export const logLine = z.object({
  number: z.number().int(),
  time: z.number(),
  /** Id; empty while code is loaded. */
  node: z.string(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  key: z.string(),
  text: z.string(),
  /** Of the code that wrote it. */
  version: z.number().int(),
  /** `nodes/x.ts:3:7` */
  place: z.string().optional(),
});
