/** The small drawing of a draft, computed once for each of its revisions. */
import type { Bind } from '../../http/handler.ts';
import { notFound } from '../../http/problem.ts';
import { type CatalogContext, entryOf } from '../catalog-context.ts';
import { type Picture, pictureOf } from './picture-of.ts';

/** Pipelines, by who was drawn last; a picture is at most some 60 kB. */
const MOST_KEPT = 300;

interface Drawn {
  readonly revision: number;
  readonly picture: Picture;
}

export function bindPictures(bind: Bind, context: CatalogContext): void {
  const drawn = new Map<string, Drawn>();
  bind('pipelines.picture', async ({ workspace, params: { pipeline }, etag }) => {
    // Rights and the workspace are asked of the store each time; only the drawing is remembered.
    const { draftRevision } = await entryOf(context, workspace, pipeline);
    const known = drawn.get(pipeline);
    const { revision, picture } = known?.revision === draftRevision ? known : await draw(workspace, pipeline);
    etag(revision);
    return { draftRevision: revision, nodes: [...picture.nodes], streams: [...picture.streams] };
  });

  async function draw(workspace: string, pipeline: string): Promise<Drawn> {
    const draft = await context.store.catalog.drafts.get(workspace, pipeline);
    if (draft === undefined) throw notFound('pipeline');
    const made = { revision: draft.revision, picture: pictureOf(draft.files) };
    drawn.delete(pipeline);
    drawn.set(pipeline, made);
    const [oldest] = drawn.keys();
    if (drawn.size > MOST_KEPT && oldest !== undefined) drawn.delete(oldest);
    return made;
  }
}
