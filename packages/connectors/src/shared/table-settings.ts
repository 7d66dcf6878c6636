/** Settings of injectors that read a table as a whole. Browser-safe. */
import { durationSetting, parseDuration } from '@millrace/graph';
import { ingestSettings } from './ingest-settings.ts';

const LEAST_REFRESH_MS = 100;

export const tableSettings = {
  refresh: durationSetting()
    .refine((text) => (parseDuration(text) ?? LEAST_REFRESH_MS) >= LEAST_REFRESH_MS, {
      message: 'is too short; a table can be read every 100ms at most',
    })
    .describe('How long what was read stands before all of it is read again. Default: it is read once.')
    .optional(),
  type: ingestSettings.type,
  key: ingestSettings.key,
};

/** Of rows that are read again and again there is no end. */
export const isEndlessTable = ({ refresh }: Readonly<Record<string, unknown>>): boolean =>
  refresh !== undefined;
