import type { CatalogContext } from '../catalog/catalog-context.ts';
import type { Bind } from '../http/handler.ts';
import type { Beginning } from './sample.ts';

export function bindSamples(bind: Bind, context: CatalogContext): void {
  bind('samples.list', async ({ workspace }) => ({
    items: [
      ...(await Promise.all(
        context.samples.map(async (sample) => ({
          ...aboutOf(sample),
          group: null,
          pipeline: await placeOf(context, workspace, sample.name),
        })),
      )),
      ...context.templates.map((template) => ({
        ...aboutOf(template),
        group: { name: template.group, description: template.about },
        pipeline: null,
      })),
    ],
  }));
}

const aboutOf = ({ name, title, description, tags }: Beginning) => ({
  ...{ name, title, description },
  tags: [...tags],
});

/** Null where it was deleted. */
async function placeOf(context: CatalogContext, workspace: string, sample: string): Promise<string | null> {
  const { seededSamples, entries } = context.store.catalog;
  const seeded = await seededSamples.get(workspace, sample);
  const entry = seeded && (await entries.get(workspace, seeded.pipeline));
  return entry === undefined || entry.deletedAt !== undefined ? null : entry.id;
}
