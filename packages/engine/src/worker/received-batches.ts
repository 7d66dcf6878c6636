/**
 * Takes a delivery apart: batches that other workers of the pipeline made, queued at the stages they are for, and
 * what the host made of dead letters that are to be tried again.
 *
 * What is in a batch is the pipeline's own affair, and so is what is not: one that cannot be read ends the worker
 * with a message that names its stream.
 */
import type { PlanStream } from '@millrace/graph';
import {
  ByteReader,
  type DeliveredBatch,
  decodeRecord,
  decodeSourcePiece,
  decodeTimerPiece,
  type HostFrame,
  OUTSIDE,
  type SourcePiece,
  type StoredRecord,
  type TimerPiece,
} from '@millrace/protocol';
import { DeliveredRecord, freezeData, type Producer } from '@millrace/sdk/runtime';
import type { ComputationStage } from './computation-stage.ts';
import { errorText } from './dead-letter.ts';
import { emptyOutgoing } from './router.ts';
import type { WorkerStages } from './worker-stages.ts';

export type DeliverFrame = Extract<HostFrame, { kind: 'deliver' }>;

/** Returns the number of records. */
export function queueDelivery(stages: WorkerStages, { position, batches }: DeliverFrame): number {
  let records = 0;
  for (const batch of batches) {
    records += batch.count;
    if (batch.stream === OUTSIDE) {
      if (stages.plan.nodes[batch.node]?.kind === 'computation')
        (stages.all[batch.node] as ComputationStage).timersAgain(timersOf(batch));
      else stages.injector(batch.node)?.again(piecesOf(batch));
      continue;
    }
    const stream = stages.plan.streams[batch.stream];
    if (stream === undefined) continue;
    if (batch.node === stream.from) {
      resendBatch(stages, stream, batch, position);
      continue;
    }
    queueBatch(stages.all[batch.node] as ComputationStage, stream, batch, position);
    const { delivered } = stages.streamCounts;
    delivered[stream.index] = (delivered[stream.index] as number) + batch.count;
  }
  return records;
}

function piecesOf({ bytes, count }: DeliveredBatch): SourcePiece[] {
  const r = new ByteReader(bytes);
  return Array.from({ length: count }, () => decodeSourcePiece(r));
}

function timersOf({ bytes, count }: DeliveredBatch): TimerPiece[] {
  const r = new ByteReader(bytes);
  return Array.from({ length: count }, () => decodeTimerPiece(r));
}

/** Addressed to their sender: records whose key its consumer could not make are to be keyed by the code that runs. */
function resendBatch(
  { router }: WorkerStages,
  stream: PlanStream,
  { bytes, count }: DeliveredBatch,
  position: number,
): void {
  const r = new ByteReader(bytes);
  for (let i = 0; i < count; i++) {
    const { key, value, timestamp, id, pane } = readRecord(r, stream, position);
    router.resend(stream, {
      ...emptyOutgoing(KNOWN_ID),
      key,
      value: freezeData(value),
      timestamp,
      pane,
      origin: id,
    });
  }
}

/** Of records that carry theirs. */
const KNOWN_ID: Producer = { computation: '', deriveId: (id) => id };

function queueBatch(
  stage: ComputationStage,
  stream: PlanStream,
  { bytes, count }: DeliveredBatch,
  position: number,
): void {
  const r = new ByteReader(bytes);
  for (let i = 0; i < count; i++) {
    const { key, value, timestamp, id, pane } = readRecord(r, stream, position);
    stage.enqueue(
      stream,
      new DeliveredRecord(
        key,
        freezeData(value),
        timestamp,
        stream.toPort,
        pane,
        undefined,
        id,
        undefined,
        0,
      ),
    );
  }
  if (!r.done) throw damaged(stream, position, `it holds more than its ${count} records`);
}

function readRecord(r: ByteReader, stream: PlanStream, position: number): StoredRecord {
  try {
    return decodeRecord(r);
  } catch (error) {
    throw damaged(stream, position, errorText(error).error);
  }
}

function damaged(stream: PlanStream, position: number, reason: string): Error {
  return new Error(
    `what was sent on stream ${stream.id} at log position ${position} cannot be read: ${reason}. Code of the pipeline has changed what its worker sends: take it out and run with --fresh`,
  );
}
