/** An injector's settings as its ingest stage takes them: durations in ms, defaults filled in (model.md W6, W7). */
import { type PlanNode, parseDuration } from '@millrace/graph';
import type { IngestSettings } from '@millrace/protocol';

/** Where the settings do not say it. */
const FORMATS: Readonly<Record<string, string>> = {
  'injector/generator': 'ordinals',
  'injector/interval': 'ordinals',
  'injector/http': 'requests',
};

const DEFAULTS = { idleTimeout: 30_000, futureBound: 3_600_000 } as const;

export function ingestSettings({ type, config }: PlanNode): IngestSettings {
  const unit = config.unit;
  return {
    format: FORMATS[type] ?? (typeof config.format === 'string' ? config.format : 'jsonl'),
    columns: config.columns as Record<string, string> | undefined,
    delimiter: config.delimiter as string | undefined,
    unit: unit === 's' || unit === 'us' ? unit : 'ms',
    zone: typeof config.zone === 'string' ? config.zone : 'UTC',
    slackMs: duration(config.slack) ?? 0,
    futureBoundMs:
      config.futureBound === 'off' ? null : (duration(config.futureBound) ?? DEFAULTS.futureBound),
    exact: config.watermark === 'exact',
    key: typeof config.key === 'string' ? config.key : '',
  };
}

/** In ms; undefined: never idle (W6). */
export function idleTimeoutOf({ config }: PlanNode): number | undefined {
  return config.idleTimeout === 'off' ? undefined : (duration(config.idleTimeout) ?? DEFAULTS.idleTimeout);
}

/** In ms; undefined where it is off (W10). */
export function skewCapOf({ config }: PlanNode): number | undefined {
  return duration(config.skewCap);
}

function duration(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDuration(value) : undefined;
}
