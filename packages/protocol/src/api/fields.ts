/** Fields that several routes share. */
import { z } from 'zod';
import { ROLES, SCOPES } from './permissions.ts';

/** UTC, in milliseconds since 1970. */
export const time = z.number().meta({ description: 'UTC, milliseconds since 1970.' });

export const email = z
  .string()
  .trim()
  .max(254)
  .transform((text) => text.toLowerCase())
  .pipe(z.email('This is no e-mail address.'));

export const PASSWORD_LENGTH = { least: 10, most: 200 } as const;
export const password = z
  .string()
  .min(PASSWORD_LENGTH.least, `A password has at least ${PASSWORD_LENGTH.least} characters.`)
  .max(PASSWORD_LENGTH.most);

/** A name people give: one line, no control characters. */
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/, 'A name is one line without control characters.');

/** The secret of a link or token, as it was given out. */
export const secret = z.string().min(1).max(200);
export const id = z.string().min(1).max(64);
export const pipelineId = z.string().regex(/^p_[a-z0-9_]{1,62}$/, 'This is no id of a pipeline.');
export const role = z.enum(ROLES);
export const scope = z.enum(SCOPES);
