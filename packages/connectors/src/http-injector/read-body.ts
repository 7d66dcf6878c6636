/**
 * Reads a request's body whole, within its limit, the memory there is, and a pace: a request goes to a worker only
 * when all of it is there, so that one that breaks off leaves nothing and one that crawls holds up nobody.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
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

export function readBody(
  request: IncomingMessage,
  head: BodyHead,
  limits: BodyLimits,
  budget: ByteBudget,
): Promise<ReadBody> {
  const body = new GrowingBody(budget, limits.bytes);
  const digest = createHash('sha256').update(head.format);
  const gunzip = head.gzip ? createGunzip({ chunkSize: UNPACKED_BYTES }) : undefined;
  return new Promise((resolve) => {
    let over = false;
    const stall = setTimeout(() => fail('stalled'), limits.stallMs);
    const end = (result: ReadBody) => {
      if (over) return;
      over = true;
      clearTimeout(stall);
      resolve(result);
    };
    // The request itself stays whole: its answer goes out over the same socket.
    const fail = (kind: Exclude<ReadBody['kind'], 'whole'>) => {
      if (over) return;
      body.release();
      if (gunzip !== undefined) request.unpipe(gunzip);
      gunzip?.destroy();
      end({ kind });
    };
    const source = gunzip === undefined ? request : request.pipe(gunzip);
    source.on('data', (piece: Uint8Array) => {
      if (over) return;
      const taken = body.push(piece);
      if (taken === 'taken') digest.update(piece);
      else fail(taken);
    });
    source.on('end', () => end({ kind: 'whole', body, digest: digest.digest() }));
    gunzip?.on('error', () => fail('not-gzip'));
    request.on('data', () => stall.refresh());
    // One that has come whole closes, too.
    const brokenOff = () => {
      if (!request.complete) fail('broken-off');
    };
    for (const event of ['aborted', 'error', 'close'] as const) request.on(event, brokenOff);
  });
}

const UNPACKED_BYTES = 64 * 1024;
