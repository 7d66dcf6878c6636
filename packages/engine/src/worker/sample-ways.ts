/**
 * What a sampled record was made of, as far as the worker still has it: the inputs of the calls that led to it inside
 * this bundle. A record whose id was made earlier, that came from another worker or that a timer made ends the way;
 * the host looks further among its samples (`host/record-trace`).
 */
import type { PlanStream, RunPlan } from '@millrace/graph';
import { TAP_BOUNDS } from '@millrace/protocol';
import { type Cause, causeOf, DeliveredRecord } from '@millrace/sdk/runtime';

export interface Ancestor {
  readonly stream: PlanStream;
  readonly record: DeliveredRecord;
}

export type SampleWays = (stream: number, origin: Cause | string) => readonly Ancestor[];

/** Of a plan; to be asked before the id of the sampled record is made, which forgets its cause. */
export function sampleWays({ nodes, streams }: Pick<RunPlan, 'nodes' | 'streams'>): SampleWays {
  const inputOf = (node: number, { stream: port, producer }: DeliveredRecord): PlanStream | undefined => {
    const onPort = (nodes[node]?.inputs ?? [])
      .map((index) => streams[index])
      .filter((stream) => stream?.toPort === port);
    if (onPort.length === 1) return onPort[0];
    const sender = producer?.computation ?? '';
    return onPort.find((stream) => {
      const id = nodes[stream?.from ?? -1]?.id;
      return sender === id || sender.startsWith(`${id}/`);
    });
  };
  return (stream, origin) => {
    const way: Ancestor[] = [];
    let cause: Cause | string | undefined = origin;
    let on = streams[stream];
    while (cause instanceof DeliveredRecord && way.length < TAP_BOUNDS.way) {
      on = on && inputOf(on.from, cause);
      if (on === undefined) break;
      way.push({ stream: on, record: cause });
      cause = causeOf(cause);
    }
    return way;
  };
}
