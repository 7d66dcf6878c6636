/** Every refusal of the server: a problem document (RFC 9457) with a code that programs may rely on. */
import { z } from 'zod';

export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().meta({ description: 'Stable, for programs; kebab-case.' }),
  detail: z.string().optional().meta({ description: 'What was tried, why it failed and what to do.' }),
  requestId: z.string().optional(),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'What is wrong where in the request.' }),
});
export type ProblemBody = z.infer<typeof problemSchema>;
