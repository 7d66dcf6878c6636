import type { NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';
import { ownRecord } from '../shared/own-record.ts';

const CSV_TYPES = ['string', 'number', 'boolean', 'bigint', 'number?', 'boolean?', 'bigint?'] as const;

export const FILE_FORMATS = ['jsonl', 'json', 'csv', 'text'] as const;

/** Which file, and how records are cut out of it. */
export const fileFormatSettings = {
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe('The file to read, relative to the pipeline’s folder or absolute.'),
  format: z
    .enum(FILE_FORMATS)
    .describe(
      '`jsonl`: a JSON value a line. `json`: one array. `csv`: RFC 4180 with a header. `text`: a record a line.',
    ),
  gzip: z
    .boolean()
    .describe(
      'Whether the file is compressed: where nothing is chosen, its ending or first bytes tell. Default: as the file tells.',
    )
    .meta({ advanced: true })
    .optional(),
  columns: ownRecord(z.string(), z.enum(CSV_TYPES))
    .describe(
      'csv only: types of columns that are not text. With a question mark an empty cell is null; without one it is a dead letter.',
    )
    .meta({ advanced: true })
    .optional(),
  delimiter: z.string().length(1).describe('csv only. Default: a comma.').meta({ advanced: true }).optional(),
};

interface CsvSettings {
  readonly format: string;
  readonly columns?: unknown;
  readonly delimiter?: string | undefined;
}

export function refuseCsvSettings(config: CsvSettings, ctx: z.RefinementCtx<unknown>): void {
  for (const field of ['columns', 'delimiter'] as const) {
    if (config[field] === undefined || config.format === 'csv') continue;
    ctx.addIssue({ code: 'custom', path: [field], message: `only has a meaning where format is csv` });
  }
  if (config.delimiter !== undefined && /["\r\n]/.test(config.delimiter)) {
    ctx.addIssue({ code: 'custom', path: ['delimiter'], message: 'cannot be a quote or a line break' });
  }
}

export const fileInjectorConfig = z
  .strictObject({ ...fileFormatSettings, ...ingestSettings })
  .superRefine(refuseCsvSettings);

export const fileInjectorSpec: NodeTypeSpec = {
  type: 'injector/file',
  kind: 'injector',
  title: 'File',
  description: 'Reads the records of a file from its first byte to its last, then ends.',
  config: fileInjectorConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
};
