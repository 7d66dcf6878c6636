/** Lists come in pages: `cursor` is opaque and goes on where the page before ended. */
import { z } from 'zod';

export const MAX_PAGE = 200;

/** Spread into the `query` of a list's route. */
export const pageQuery = {
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
};

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'Null on the last page.' }),
  });
