import { durationSetting, type NodeTypeSpec, parseDuration } from '@millrace/graph';
import { z } from 'zod';
import { ingestSettings } from '../shared/ingest-settings.ts';

export const hostMetricsConfig = z.strictObject({
  every: durationSetting()
    .refine((text) => parseDuration(text) !== 0, 'must be longer than nothing')
    .describe('Time between two samples. Default: 1s.')
    .optional(),
  ...ingestSettings,
});

/** `null` where this operating system does not tell. Rates are per second since the last sample. */
export const HOST_METRICS_TYPE = `{
  time: number;
  host: string;
  uptimeSeconds: number;
  cpu: { cores: number; busy: number };
  load: { one: number; five: number; fifteen: number };
  memory: { totalBytes: number; freeBytes: number; availableBytes: number | null };
  disk: { readBytesPerSecond: number; writtenBytesPerSecond: number } | null;
  network: { receivedBytesPerSecond: number; sentBytesPerSecond: number } | null;
}`;

export const hostMetricsSpec: NodeTypeSpec = {
  type: 'injector/host-metrics',
  kind: 'injector',
  isEndless: () => true,
  title: 'Host metrics',
  description: 'Samples processor, memory, load, disk and network of the machine that Millrace runs on.',
  config: hostMetricsConfig,
  inputs: [],
  outputs: ['out'],
  expressions: ['timestamp'],
  valueType: () => HOST_METRICS_TYPE,
};
