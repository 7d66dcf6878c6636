import type { NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';

export const fileSinkConfig = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe('The file to write, relative to the pipeline’s folder or absolute. Its folder must exist.'),
  existing: z
    .enum(['append', 'replace'])
    .describe(
      'What a new run does with a file that is already there: write after its end, or empty it. A run that goes on always continues its own file. Default: append.',
    )
    .optional(),
});

export const fileSinkSpec: NodeTypeSpec = {
  type: 'sink/file',
  kind: 'sink',
  title: 'File',
  description:
    'Writes one JSON object a line: key, value, timestamp and, where there is one, pane. Exactly once.',
  config: fileSinkConfig,
  inputs: ['in'],
  outputs: [],
};
