/** Why a node's watermark stands where it does: which partition, record, timer or state, of which worker (W5). */

import type { RunPlan } from '@millrace/graph';
import { decodeSourceMark, META_SPACE, metaKeys, type Watermark } from '@millrace/protocol';
import { height, type Reports, type Suspect, suspectsOf } from '../watermark/blame.ts';
import { outputOfSenders } from '../watermark/output-of-senders.ts';
import { ingestSettings } from './ingest-settings.ts';
import type { Intervals } from './intervals.ts';
import { type Hold, oldestHold } from './oldest-hold.ts';
import type { OpenConnectors } from './open-connectors.ts';
import type { Pause, ReadingPace } from './reading-pace.ts';
import type { Recovered } from './recovery.ts';

export type Cause =
  /** Nothing holds it: it is idle, or has ended. */
  | { readonly kind: 'none' }
  /** An injector has read no further. */
  | {
      readonly kind: 'source';
      readonly slot: number;
      readonly partitions: readonly PartitionPlace[];
      readonly waits: Pause | undefined;
    }
  /** Records are committed for the node that its worker has not taken. */
  | {
      readonly kind: 'backlog';
      readonly slot: number;
      readonly records: number;
      readonly since: number | undefined;
    }
  | ({ readonly slot: number } & Hold);

export interface PartitionPlace {
  readonly name: string;
  /** Largest event time read; undefined while there is none. */
  readonly largest: number | undefined;
}

export interface WatermarkCause {
  readonly watermark: Watermark;
  /** Node ids from the one that was asked for to the one that holds. */
  readonly path: readonly string[];
  readonly cause: Cause;
}

export interface CauseParts {
  readonly plan: RunPlan;
  readonly recovered: Recovered;
  readonly reports: Reports;
  readonly intervals: Pick<Intervals, 'rangesOf'>;
  readonly connectors: Pick<OpenConnectors, 'partitionsOf'>;
  readonly pace: Pick<ReadingPace, 'why'>;
}

const MOST_PARTITIONS = 20;

/** Undefined where the plan has no node of this id. */
export async function watermarkCauseOf(parts: CauseParts, id: string): Promise<WatermarkCause | undefined> {
  const { plan, reports } = parts;
  const index = plan.nodes.findIndex((node) => node.id === id);
  if (index < 0) return undefined;
  const overall = (node: number) => reports.overall(node);
  const watermark =
    plan.nodes[index]?.kind === 'sink' ? outputOfSenders(plan, index, overall) : overall(index);
  const path: string[] = [];
  for (const suspect of suspectsOf(plan, reports, index)) {
    path.push(plan.nodes[suspect.node]?.id as string);
    const cause = await causeAt(parts, suspect);
    if (cause !== undefined) return { watermark, path, cause };
  }
  return { watermark, path: [id], cause: { kind: 'none' } };
}

async function causeAt(parts: CauseParts, suspect: Suspect): Promise<Cause | undefined> {
  if (suspect.part === 'source') return sourceCause(parts, suspect);
  if (suspect.part === 'follows') return undefined;
  const { recovered, reports, intervals } = parts;
  const { node, slot } = suspect;
  const nodeNumber = recovered.nodeNumbers[node] as number;
  const hold = await oldestHold(recovered.paged, { nodeNumber, ranges: intervals.rangesOf(node, slot) });
  const promised = suspect.slowest === undefined ? Infinity : height(reports.overall(suspect.slowest));
  if (hold !== undefined && hold.hold < promised) return { slot, ...hold };
  const records = recovered.deliveries.pendingOf(node);
  // Without either it is on its way: what holds is further up.
  if (records === 0) return undefined;
  return { kind: 'backlog', slot, records, since: recovered.deliveries.oldestOf(node) };
}

async function sourceCause(
  { plan, recovered, reports, connectors, pace }: CauseParts,
  { node, slot }: Suspect,
): Promise<Cause> {
  const places: (PartitionPlace & { ended: boolean })[] = [];
  for (const name of connectors.partitionsOf(node, slot)) {
    const key = metaKeys.source(recovered.nodeNumbers[node] as number, name);
    const stored = await recovered.paged.get(META_SPACE, key);
    const mark = stored === undefined ? undefined : decodeSourceMark(stored);
    places.push({ name, largest: mark?.largest, ended: mark?.ended ?? false });
  }
  const { slackMs } = ingestSettings(plan.nodes[node] as RunPlan['nodes'][number]);
  const time = height(reports.table(slot)[node]);
  const open = places.filter(({ ended }) => !ended).sort((a, b) => heightOf(a) - heightOf(b));
  // A partition that is idle lies lower and holds nothing.
  const culprits = open.filter((place) => Math.abs(heightOf(place) - slackMs - time) <= 1);
  const shown = (culprits.length > 0 ? culprits : open).slice(0, MOST_PARTITIONS);
  return {
    kind: 'source',
    slot,
    partitions: shown.map(({ name, largest }) => ({ name, largest })),
    waits: pace.why(node),
  };
}

function heightOf({ largest }: PartitionPlace): number {
  return largest ?? -Infinity;
}
