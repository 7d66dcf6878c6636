/** What is watched. Shares are 0 to 1, flows are bytes per second. */
export const METRICS = ['cpu', 'memory', 'disk', 'network'] as const;
export type Metric = (typeof METRICS)[number];

/** Below this a metric is never called a spike, however quiet it was before. */
const LEAST: Readonly<Record<Metric, number>> = { cpu: 0.25, memory: 0.5, disk: 2e6, network: 5e5 };

export const leastSpike = (metric: string): number => LEAST[metric as Metric] ?? 0;
