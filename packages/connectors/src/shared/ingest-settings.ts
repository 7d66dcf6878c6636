/**
 * Settings that every injector shares: how the ingest stage of a worker stamps, keys and holds the watermark of
 * what comes in (W6, W7). The host hands them on unread. Browser-safe.
 */
import { durationSetting, expressionSetting } from '@millrace/graph';
import { z } from 'zod';

const durationOrOff = z.union([z.literal('off'), durationSetting()]);

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export const ingestSettings = {
  timestamp: expressionSetting()
    .describe(
      'Event time of a record: an expression over `value` that gives milliseconds, a Date or ISO 8601 text. Without it, the time of arrival.',
    )
    .optional(),
  zone: z
    .string()
    .refine(isZone, 'not an IANA time zone such as UTC or Europe/Berlin')
    .describe('Time zone of timestamp texts that name none. Default: UTC.')
    .meta({ advanced: true })
    .optional(),
  unit: z
    .enum(['s', 'ms', 'us'])
    .describe('Unit of timestamps that are numbers. Default: ms.')
    .meta({ advanced: true })
    .optional(),
  slack: durationSetting()
    .describe('How far records may be out of order before they are late. Default: 0s.')
    .optional(),
  watermark: z
    .enum(['slack', 'exact'])
    .describe(
      'What the watermark promises: `slack` follows the largest timestamp seen, `exact` waits for the end of the input. Default: slack.',
    )
    .meta({ advanced: true })
    .optional(),
  idleTimeout: durationOrOff
    .describe('With nothing to read for this long, the injector no longer holds the watermark. Default: 30s.')
    .meta({ advanced: true })
    .optional(),
  futureBound: durationOrOff
    .describe(
      'Records further ahead of the wall clock are set aside and counted. `off` for replays. Default: 1h.',
    )
    .meta({ advanced: true })
    .optional(),
  skewCap: durationOrOff
    .describe(
      'Reading waits while this injector is further ahead in event time than this of the slowest one that it is joined with. Default: off.',
    )
    .meta({ advanced: true })
    .optional(),
  key: z
    .string()
    .describe('The key that records start with. Default: the empty text.')
    .meta({ advanced: true })
    .optional(),
  type: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .describe('TypeScript type of the values, such as `{ origin: string; delay: number }`.')
    .meta({ form: 'type' })
    .optional(),
};
