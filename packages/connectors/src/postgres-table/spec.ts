import type { NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';
import { columnName, databaseSetting, tableSetting } from '../postgres-sink/spec.ts';
import { isEndlessTable, tableSettings } from '../shared/table-settings.ts';

export const postgresTableConfig = z.strictObject({
  table: tableSetting('The table or view to read'),
  columns: z
    .array(columnName)
    .min(1)
    .max(1000)
    .refine((names) => new Set(names).size === names.length, 'names a column twice')
    .describe('The columns to read. Default: all.')
    .optional(),
  url: databaseSetting().optional(),
  ...tableSettings,
});

export const postgresTableSpec: NodeTypeSpec = {
  type: 'injector/postgres-table',
  kind: 'injector',
  isEndless: isEndlessTable,
  isTable: true,
  title: 'Postgres table',
  description: 'Reads a table to look things up in, once or again and again.',
  config: postgresTableConfig,
  inputs: [],
  outputs: ['out'],
};
