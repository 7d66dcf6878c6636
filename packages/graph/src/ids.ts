/** Ids of pipelines, nodes and streams (G1): minted once, never reused, never derived from a name. */

/** Uniform in [0, 1). Injected, so that tests own it. */
export type Random = () => number;

/** Pipelines, nodes, streams; in drafts also files, notes (`t`) and groups. */
export type IdPrefix = 'p' | 'n' | 's' | 'f' | 't' | 'g';

/** Crockford's base 32: no i, l, o, u, so an id read aloud stays itself. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MAX_ID = 64;

export function mintId(prefix: IdPrefix, random: Random): string {
  let id = `${prefix}_`;
  for (let i = 0; i < 12; i++) id += ALPHABET[Math.floor(random() * 32) & 31];
  return id;
}

/** Hand-written ids such as `n_count` are as good as minted ones. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length <= MAX_ID && text.startsWith(`${prefix}_`) && /^[a-z]_[a-z0-9_]+$/.test(text);
}
