/**
 * What a sampled record was made of, as far as the worker still has it: the inputs of the calls that led to it inside
 * this bundle, and the timers, with the record that armed them in this bundle. A record whose id was made earlier or
 * that came from another worker ends the way; the host looks further among its samples (`host/record-trace`).
 */
import type { PlanStream, RunPlan } from '@millrace/graph';
import { TAP_BOUNDS, type TapTimer } from '@millrace/protocol';
import { type Cause, causeOf, DeliveredRecord, Firing } from '@millrace/sdk/runtime';

export interface Ancestor {
  readonly stream: PlanStream;
  readonly record: DeliveredRecord;
  /** What made it, where a timer did. */
  readonly timer: TapTimer | undefined;
}

export interface SampleWay {
  /** What made the sampled record, where a timer did; the first ancestor has armed it then. */
  readonly timer: TapTimer | undefined;
  readonly ancestors: readonly Ancestor[];
}

export type SampleWays = (stream: number, origin: Cause | string) => SampleWay;

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
    const found: { stream: PlanStream; record: DeliveredRecord; firing: Firing | undefined }[] = [];
    const { firing, record: first } = throughTimer(origin);
    let record = first;
    let on = streams[stream];
    while (record !== undefined && found.length < TAP_BOUNDS.way) {
      on = on && inputOf(on.from, record);
      if (on === undefined) break;
      const before = throughTimer(causeOf(record));
      found.push({ stream: on, record, firing: before.firing });
      record = before.record;
    }
    // Behind the whole way: it makes the id of what armed a timer, which forgets its cause.
    return {
      timer: told(firing),
      ancestors: found.map(({ firing: by, ...ancestor }) => ({ ...ancestor, timer: told(by) })),
    };
  };
}

interface Before {
  readonly firing: Firing | undefined;
  /** What armed it, where its worker still has that. */
  readonly record: DeliveredRecord | undefined;
}

function throughTimer(cause: Cause | string | undefined): Before {
  const firing = cause instanceof Firing ? cause : undefined;
  const before = firing === undefined ? cause : firing.armedBy;
  return { firing, record: before instanceof DeliveredRecord ? before : undefined };
}

const told = (firing: Firing | undefined): TapTimer | undefined => firing && bounded(firing.told);

const bounded = ({ tag, armedBy, ...when }: TapTimer): TapTimer => ({
  ...when,
  tag: tag.slice(0, TAP_BOUNDS.key),
  armedBy: armedBy.slice(0, TAP_BOUNDS.id),
});
