/**
 * Reads a request's body whole, within its limit, the memory there is, and a pace: a request goes to a worker only
 * when all of it is there, so that one that breaks off leaves nothing and one that crawls holds up nobody.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ByteBudget } from './byte-budget.ts';
import { GrowingBody } from './growing-body.ts';
import type { BodyHead } from './request-head.ts';

export interface BodyLimits {
  /** Of the body as it is unpacked. */
  readonly bytes: number;
  /** Longest time without a byte. */
  readonly stallMs: number;
}

export type ReadBody =
  | { readonly kind: 'whole'; readonly body: GrowingBody; readonly digest: Uint8Array }
  | { readonly kind: 'too-large' | 'no-room' | 'stalled' | 'broken-off' | 'not-gzip' };

export async function readBody(
  request: IncomingMessage,
  head: BodyHead,
  limits: BodyLimits,
  budget: ByteBudget,
): Promise<ReadBody> {
  const body = new GrowingBody(budget, limits.bytes);
  const digest = createHash('sha256').update(head.format);
  let stalled = false;
  const stall = setTimeout(() => {
    stalled = true;
    source.destroy(new Error('stalled'));
  }, limits.stallMs);
  const source = head.gzip ? unpacked(request) : request;
  const arrived = () => stall.refresh();
  request.on('data', arrived);
  try {
    for await (const piece of source as AsyncIterable<Uint8Array>) {
      const taken = body.push(piece);
      if (taken !== 'taken') {
        body.release();
        return { kind: taken };
      }
      digest.update(piece);
    }
    if (request.complete) return { kind: 'whole', body, digest: digest.digest() };
  } catch {
    // Told apart below.
  } finally {
    clearTimeout(stall);
    request.off('data', arrived);
    // What is still to come is nobody's.
    request.unpipe();
  }
  body.release();
  if (stalled) return { kind: 'stalled' };
  return { kind: head.gzip && !request.destroyed ? 'not-gzip' : 'broken-off' };
}

function unpacked(request: IncomingMessage): Readable {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  request.on('aborted', () => gunzip.destroy(new Error('broken off')));
  request.on('error', (error) => gunzip.destroy(error));
  return request.pipe(gunzip);
}
