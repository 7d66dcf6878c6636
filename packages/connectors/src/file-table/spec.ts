import type { NodeTypeSpec } from '@millrace/graph';
import { z } from 'zod';
import { fileFormatSettings, refuseCsvSettings } from '../file-injector/spec.ts';
import { isEndlessTable, tableSettings } from '../shared/table-settings.ts';

export const fileTableConfig = z
  .strictObject({ ...fileFormatSettings, ...tableSettings })
  .superRefine(refuseCsvSettings);

export const fileTableSpec: NodeTypeSpec = {
  type: 'injector/file-table',
  kind: 'injector',
  isEndless: isEndlessTable,
  isTable: true,
  title: 'File as table',
  description: 'Reads a file as a table to look things up in, once or again and again.',
  config: fileTableConfig,
  inputs: [],
  outputs: ['out'],
};
