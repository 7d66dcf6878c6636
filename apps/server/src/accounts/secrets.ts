/** Ids and secrets. A secret has 256 random bits, so a plain hash of it is enough to keep. */
import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32, as ids of pipelines have it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** `a` account, `k` session, `i` invitation, `t` token. */
export function newId(prefix: 'a' | 'k' | 'i' | 't'): string {
  const text = [...randomBytes(12)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${prefix}_${text}`;
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const TOKEN_PREFIX = 'mr_';
