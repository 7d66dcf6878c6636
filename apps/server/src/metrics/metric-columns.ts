/**
 * The numbers of one deployment over one span as columns: per node and measure a list with one entry a sample, or,
 * rolled up, least, greatest and sum of a minute. Stored deflated; a number that was not known is null.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PipelineProgress } from '@millrace/protocol/control';
import { z } from 'zod';

export const MEASURES = [
  'in',
  'out',
  'inRate',
  'outRate',
  'late',
  'deadLettered',
  'backlog',
  'lagMs',
  'workLagMs',
] as const;
export type Measure = (typeof MEASURES)[number];

const value = z.number().nullable();
const columns = z.object({
  /** Wall times in ms of the samples. */
  at: z.array(z.number()),
  nodes: z.record(z.string(), z.partialRecord(z.enum(MEASURES), z.array(value))),
});
export type Columns = z.infer<typeof columns>;

const rolled = z.object({
  samples: z.number().int(),
  nodes: z.record(
    z.string(),
    z.partialRecord(z.enum(MEASURES), z.object({ min: z.number(), max: z.number(), sum: z.number() })),
  ),
});
export type Rolled = z.infer<typeof rolled>;

export function columnsOf(samples: readonly PipelineProgress[]): Columns {
  const nodes: Columns['nodes'] = {};
  samples.forEach((sample, i) => {
    for (const node of sample.nodes) {
      nodes[node.node] ??= {};
      const measures = nodes[node.node] as Partial<Record<Measure, (number | null)[]>>;
      for (const measure of MEASURES) {
        const list = measures[measure] ?? samples.map(() => null);
        list[i] = node[measure] ?? null;
        measures[measure] = list;
      }
    }
  });
  return { at: samples.map(({ at }) => at), nodes };
}

/** A minute out of its spans. */
export function rollUp(spans: readonly Columns[]): Rolled {
  const nodes: Rolled['nodes'] = {};
  for (const span of spans)
    for (const [node, measures] of Object.entries(span.nodes))
      for (const [measure, list] of Object.entries(measures) as [Measure, (number | null)[]][]) {
        const known = list.filter((entry) => entry !== null);
        if (known.length === 0) continue;
        nodes[node] ??= {};
        const before = nodes[node][measure];
        nodes[node][measure] = {
          min: Math.min(before?.min ?? Infinity, ...known),
          max: Math.max(before?.max ?? -Infinity, ...known),
          sum: known.reduce((sum, entry) => sum + entry, before?.sum ?? 0),
        };
      }
  return { samples: spans.reduce((sum, { at }) => sum + at.length, 0), nodes };
}

export const pack = (content: Columns | Rolled): Uint8Array =>
  deflateRawSync(Buffer.from(JSON.stringify(content)));

export const unpackColumns = (body: Uint8Array): Columns => columns.parse(unpack(body));
export const unpackRolled = (body: Uint8Array): Rolled => rolled.parse(unpack(body));

const unpack = (body: Uint8Array): unknown => JSON.parse(inflateRawSync(body).toString('utf8'));
