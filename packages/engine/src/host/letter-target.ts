/**
 * Where a dead letter goes when it is delivered again, by the version that runs; or why it cannot.
 *
 * What a letter holds was written by a worker: it is read here as it will be read where it goes, so that a damaged
 * one is refused instead of ending the worker or the sink that would have taken it.
 */
import type { PlanNode, PlanStream, RunPlan } from '@millrace/graph';
import {
  ByteReader,
  ByteWriter,
  decodeRecord,
  encodeSourcePiece,
  encodeTimerPiece,
  OUTSIDE,
  type Redrivable,
  SINK_SLOT,
} from '@millrace/protocol';
import type { DeadLetterRow } from '../ports.ts';
import type { Hasher } from '../worker/key-hash.ts';
import { checkRows, type Owners } from './frame-rules.ts';

export type LetterTarget =
  | {
      readonly kind: 'delivery';
      readonly node: number;
      /** Plan index, or `OUTSIDE`. */
      readonly stream: number;
      readonly slot: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface LetterPlace {
  readonly plan: RunPlan;
  /** Whose channel the records of a key go into. */
  readonly owners: Owners;
  readonly hasher: Hasher;
  readonly readerOf: (node: number, place: string) => number | undefined;
}

export function letterTarget(letter: DeadLetterRow, place: LetterPlace): LetterTarget {
  const node = place.plan.nodes.find(({ id }) => id === letter.node);
  if (node === undefined) return refused('the version that runs has no such node any more');
  const { redrive } = letter;
  if (redrive === undefined)
    return refused('its input was not kept: it was too large, or set aside by an older version of Millrace');
  try {
    return targetOf(redrive, node, place);
  } catch {
    return refused('what was kept of its input is damaged');
  }
}

function targetOf(redrive: Redrivable, node: PlanNode, place: LetterPlace): LetterTarget {
  switch (redrive.kind) {
    case 'source':
      return sourceTarget(redrive, node, place);
    case 'timer':
      return timerTarget(redrive, node, place);
    case 'row':
      return rowTarget(redrive, node, place);
    case 'record':
      return recordTarget(redrive, node, place);
    case 'unkeyed':
      return unkeyedTarget(redrive, node, place);
  }
}

function sourceTarget(
  redrive: Extract<Redrivable, { kind: 'source' }>,
  node: PlanNode,
  { readerOf }: LetterPlace,
): LetterTarget {
  if (node.kind !== 'injector') return refused('the node is no injector any more');
  const { kind: _, ...piece } = redrive;
  const w = new ByteWriter(256);
  encodeSourcePiece(w, piece);
  // Who reads the partition knows the header of its file.
  const slot = readerOf(node.index, redrive.place) ?? 0;
  return { kind: 'delivery', node: node.index, stream: OUTSIDE, slot, bytes: w.take() };
}

function timerTarget(
  redrive: Extract<Redrivable, { kind: 'timer' }>,
  node: PlanNode,
  { owners, hasher }: LetterPlace,
): LetterTarget {
  if (node.kind !== 'computation') return refused('the node is no computation any more');
  const w = new ByteWriter(256);
  encodeTimerPiece(w, redrive);
  const slot = owners.ownerOf(node.index, hasher.keyHash(redrive.key).high);
  return { kind: 'delivery', node: node.index, stream: OUTSIDE, slot, bytes: w.take() };
}

function rowTarget(
  redrive: Extract<Redrivable, { kind: 'row' }>,
  node: PlanNode,
  { plan }: LetterPlace,
): LetterTarget {
  if (node.kind !== 'sink') return refused('the node is no sink any more');
  const inputs = streamsTo(plan, node);
  const stream = inputs.find(({ id }) => id === redrive.stream) ?? inputs[0];
  if (stream === undefined) return refused('nothing leads to the sink any more');
  const bytes = bytesOf(redrive.bytes);
  checkRows({ bytes, count: 1 });
  return { kind: 'delivery', node: node.index, stream: stream.index, slot: SINK_SLOT, bytes };
}

function recordTarget(
  redrive: Extract<Redrivable, { kind: 'record' }>,
  node: PlanNode,
  { plan, owners, hasher }: LetterPlace,
): LetterTarget {
  if (node.kind !== 'computation') return refused('the node is no computation any more');
  const stream = streamsTo(plan, node).find(({ toPort }) => toPort === redrive.port);
  if (stream === undefined) return refused(`nothing leads to its input "${redrive.port}" any more`);
  const bytes = bytesOf(redrive.bytes);
  const slot = owners.ownerOf(node.index, hasher.keyHash(keyOfRecord(bytes)).high);
  return { kind: 'delivery', node: node.index, stream: stream.index, slot, bytes };
}

function unkeyedTarget(
  redrive: Extract<Redrivable, { kind: 'unkeyed' }>,
  node: PlanNode,
  { plan, owners, hasher }: LetterPlace,
): LetterTarget {
  const stream = streamsTo(plan, node).find(({ id }) => id === redrive.stream);
  if (stream === undefined) return refused('the stream it came on is gone');
  const bytes = bytesOf(redrive.bytes);
  // By its sender's key, so that records of one sender stay in order.
  const slot = owners.ownerOf(stream.from, hasher.keyHash(keyOfRecord(bytes)).high);
  return { kind: 'delivery', node: stream.from, stream: stream.index, slot, bytes };
}

function streamsTo(plan: RunPlan, node: PlanNode): PlanStream[] {
  return plan.streams.filter(({ to }) => to === node.index);
}

function keyOfRecord(bytes: Uint8Array): string {
  const r = new ByteReader(bytes);
  const { key, timestamp } = decodeRecord(r);
  if (!r.done || !Number.isFinite(timestamp)) throw new Error('not one record');
  return key;
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

const refused = (reason: string): LetterTarget => ({ kind: 'refused', reason });
