/** The catalog of pipelines, bound to its routes. */
import type { Feature } from '../http/handler.ts';
import { bindSamples } from '../samples/sample-routes.ts';
import { bindArchives } from './archive-routes.ts';
import type { CatalogContext } from './catalog-context.ts';
import { bindDrafts } from './draft-routes.ts';
import { bindEntries } from './entry-routes.ts';
import { bindPictures } from './picture/picture-routes.ts';
import { bindVersions } from './version-routes.ts';

export const catalogFeature =
  (context: CatalogContext): Feature =>
  (bind) => {
    bindEntries(bind, context);
    bindDrafts(bind, context);
    bindPictures(bind, context);
    bindVersions(bind, context);
    bindArchives(bind, context);
    bindSamples(bind, context);
  };
