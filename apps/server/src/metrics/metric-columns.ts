/**
 * The numbers of one deployment over one span as columns: per node, stream or the whole (`WHOLE`) and measure a list with one entry a sample, or,
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
  'latencyP50Ms',
  'latencyP95Ms',
  'latencyP99Ms',
  // Of streams.
  'rate',
  'produced',
  'inFlight',
  // Of the whole.
  'bundleRate',
  'commitP50Ms',
  'commitP95Ms',
  'commitP99Ms',
  'unfoldedBytes',
] as const;
export type Measure = (typeof MEASURES)[number];
type Measured = Partial<Record<Measure, number | undefined>>;

/** What is measured of no node and no stream stands under this name. */
export const WHOLE = 'pipeline';

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
    z.partialRecord(
      z.enum(MEASURES),
      z.object({
        min: z.number(),
        max: z.number(),
        sum: z.number(),
        /** Samples in which it was known; in blobs of before, all of them. */
        known: z.number().int().optional(),
      }),
    ),
  ),
});
export type Rolled = z.infer<typeof rolled>;

export function columnsOf(samples: readonly PipelineProgress[]): Columns {
  const nodes: Columns['nodes'] = {};
  samples.forEach((sample, i) => {
    for (const [name, measured] of measuredOf(sample)) {
      nodes[name] ??= {};
      const measures = nodes[name] as Partial<Record<Measure, (number | null)[]>>;
      for (const measure of MEASURES) {
        const value = measured[measure];
        if (value === undefined) continue;
        const list = measures[measure] ?? samples.map(() => null);
        list[i] = value;
        measures[measure] = list;
      }
    }
  });
  return { at: samples.map(({ at }) => at), nodes };
}

function measuredOf({
  nodes,
  streams = [],
  commits,
  unfoldedBytes,
}: Partial<PipelineProgress>): [string, Measured][] {
  return [
    ...(nodes ?? []).map((node): [string, Measured] => [
      node.node,
      {
        ...node,
        latencyP50Ms: node.latency?.p50Ms,
        latencyP95Ms: node.latency?.p95Ms,
        latencyP99Ms: node.latency?.p99Ms,
      },
    ]),
    ...streams.map(({ stream, ...measured }): [string, Measured] => [stream, measured]),
    [
      WHOLE,
      {
        bundleRate: commits?.bundleRate,
        commitP50Ms: commits?.p50Ms,
        commitP95Ms: commits?.p95Ms,
        commitP99Ms: commits?.p99Ms,
        unfoldedBytes,
      },
    ],
  ];
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
          known: (before?.known ?? 0) + known.length,
        };
      }
  return { samples: spans.reduce((sum, { at }) => sum + at.length, 0), nodes };
}

export const pack = (content: Columns | Rolled): Uint8Array =>
  deflateRawSync(Buffer.from(JSON.stringify(content)));

/** `of`: only of these, `WHOLE` among them; what nobody asks for is not even parsed, which is most of the cost. */
export const unpackColumns = (body: Uint8Array, of?: readonly string[]): Columns =>
  columns.parse(unpack(body, of, '}'));
export const unpackRolled = (body: Uint8Array, of?: readonly string[]): Rolled =>
  rolled.parse(unpack(body, of, '}}'));

function unpack(body: Uint8Array, of: readonly string[] | undefined, end: string): unknown {
  const text = inflateRawSync(body).toString('utf8');
  return JSON.parse(of === undefined ? text : textOf(text, of, end));
}

const NODES = '"nodes":{';

/**
 * The text with these nodes only. It is `pack`'s own: ids hold no quotes, a node's measures are lists of numbers, or
 * flat objects where they are rolled up, so that `end` closes a node.
 */
function textOf(text: string, of: readonly string[], end: string): string {
  const from = text.indexOf(NODES) + NODES.length;
  const kept = of.flatMap((id) => {
    const at = text.indexOf(`${JSON.stringify(id)}:{`, from);
    return at < 0 ? [] : [text.slice(at, text.indexOf(end, at) + end.length)];
  });
  return `${text.slice(0, from)}${kept.join(',')}}}`;
}
