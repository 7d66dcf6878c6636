import { z } from 'zod';

/** `z.record`, but a key `__proto__` is refused: zod would drop it, and its value, without a word. */
export function ownRecord<K extends z.ZodString, V extends z.ZodType>(key: K, value: V) {
  return z
    .custom<object>(
      (given) => typeof given !== 'object' || given === null || !Object.hasOwn(given, '__proto__'),
      {
        message: 'cannot hold the name __proto__',
      },
    )
    .pipe(z.record(key, value));
}
