import type { CatalogContext } from '../catalog/catalog-context.ts';
import type { Bind } from '../http/handler.ts';

export function bindSamples(bind: Bind, context: CatalogContext): void {
  bind('samples.list', async ({ workspace }) => ({
    items: await Promise.all(
      context.samples.map(async ({ name, title, description, tags }) => ({
        name,
        title,
        description,
        tags: [...tags],
        pipeline: await placeOf(context, workspace, name),
      })),
    ),
  }));
}

/** Null where it was deleted. */
async function placeOf(context: CatalogContext, workspace: string, sample: string): Promise<string | null> {
  const { seededSamples, entries } = context.store.catalog;
  const seeded = await seededSamples.get(workspace, sample);
  const entry = seeded && (await entries.get(workspace, seeded.pipeline));
  return entry === undefined || entry.deletedAt !== undefined ? null : entry.id;
}
