/** Versioned resources: `ETag` on the way out, `If-Match` on the way in. */
import { Problem } from './problem.ts';

export const entityTag = (version: string | number): string => `"${version}"`;

/** The tag without quotes. Weak tags and `*` name no version one could have seen, so they are refused. */
export function readIfMatch(header: string | undefined, demanded: boolean): string | undefined {
  if (header === undefined) {
    if (!demanded) return undefined;
    throw new Problem(428, 'if-match-missing', 'Name the version you edit: send its ETag in If-Match.');
  }
  const tag = /^"([\x21\x23-\x7e]{1,200})"$/.exec(header.trim())?.[1];
  if (tag === undefined) throw new Problem(400, 'bad-if-match', 'If-Match must be one quoted ETag.');
  return tag;
}

/** `current` is the version there is now. */
export const changedMeanwhile = (current: string | number): Problem =>
  new Problem(
    412,
    'changed-meanwhile',
    'Somebody changed it meanwhile. Read it again and repeat the change.',
    {
      headers: { etag: entityTag(current) },
    },
  );
