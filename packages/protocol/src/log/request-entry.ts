/**
 * What is known of a request to an injector that is pushed to: how far its records are committed, and what is
 * remembered under its idempotency key. A worker writes it, the host reads it again: every number is checked.
 */
import { type ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';

export interface Rejection {
  /** Place among the records of the body, from 0. */
  readonly index: number;
  readonly reason: string;
}

export interface RequestAnswer {
  readonly accepted: number;
  /** The first `MOST_REJECTIONS` of them. */
  readonly rejected: readonly Rejection[];
  /** How many more were rejected. */
  readonly unlisted: number;
}

export interface RequestProgress extends RequestAnswer {
  /** Records with a lower index are decided: they are in the commit, or rejected by it. */
  readonly through: number;
}

export interface RememberedRequest extends RequestProgress {
  /** SHA-256 of format and body. */
  readonly digest: Uint8Array;
  /** Wall time at which the key was first seen. */
  readonly since: number;
  /** False: a host died while it was being ingested, and whoever sent it has not come again yet. */
  readonly done: boolean;
}

/** Beyond them rejections are only counted: an answer stays readable and an entry small. */
export const MOST_REJECTIONS = 500;
export const LONGEST_REASON = 200;

export function encodeAnswer(w: ByteWriter, { accepted, rejected, unlisted }: RequestAnswer): void {
  w.varint(accepted);
  w.varint(unlisted);
  w.varint(rejected.length);
  for (const { index, reason } of rejected) {
    w.varint(index);
    w.text(reason);
  }
}

export function decodeAnswer(r: ByteReader): RequestAnswer {
  const accepted = r.varint();
  const unlisted = r.varint();
  const count = r.varint();
  if (count > MOST_REJECTIONS) throw new MalformedBytes(`${count} rejections, ${MOST_REJECTIONS} at most`);
  const rejected: Rejection[] = [];
  for (let left = count; left > 0; left--) {
    const index = r.varint();
    const reason = r.text();
    if (reason.length > LONGEST_REASON) throw new MalformedBytes('the reason of a rejection is too long');
    rejected.push({ index, reason });
  }
  return { accepted, rejected, unlisted };
}

export function encodeProgress(w: ByteWriter, progress: RequestProgress): void {
  w.varint(progress.through);
  encodeAnswer(w, progress);
}

export function decodeProgress(r: ByteReader): RequestProgress {
  return { through: r.varint(), ...decodeAnswer(r) };
}

export function encodeRemembered(w: ByteWriter, request: RememberedRequest): void {
  w.blob(request.digest);
  w.f64(request.since);
  w.u8(request.done ? 1 : 0);
  encodeProgress(w, request);
}

/** Throws `MalformedBytes` unless the whole of it is one entry. */
export function decodeRemembered(r: ByteReader): RememberedRequest {
  const digest = r.blob().slice();
  const since = r.f64();
  const done = r.u8() === 1;
  const entry = { digest, since, done, ...decodeProgress(r) };
  if (digest.length !== 32 || !Number.isFinite(since) || !r.done)
    throw new MalformedBytes('what is remembered of a request is none');
  return entry;
}
