/** An uploaded archive in memory, never more of it than the limit. */
import type { Request } from 'express';
import { Problem } from '../../http/problem.ts';
import { refusedFolder } from '../answers.ts';
import { readZip, ZIP_LIMITS } from './read-zip.ts';

const MEDIA = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'];

/** The files in it, or a `Problem` with everything that is wrong. */
export async function readArchive(request: Request): Promise<ReadonlyMap<string, string>> {
  if (!request.is(MEDIA)) throw new Problem(415, 'not-a-zip', 'The body must be application/zip.');
  const content = await readZip(await readBytes(request));
  if (content.kind === 'refused') throw refusedFolder(content.faults);
  return content.files;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const limit = ZIP_LIMITS.packedBytes;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (limit: number): Problem =>
  new Problem(413, 'too-large', `The archive is larger than ${limit.toLocaleString('en')} bytes.`, {
    members: { limit },
  });
