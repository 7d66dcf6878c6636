/**
 * The catalog of pipelines: entries, drafts, versions, seeded samples. Every call names the workspace, so that
 * no id from elsewhere is ever found.
 *
 * C1 An entry, its draft and its search text change in one transaction.
 * C2 A change of something with a revision names the revision it was made on, and is refused on another one.
 * C3 A version is never changed; equal content is the same version.
 * C4 A deleted entry keeps everything until it is purged; a purge leaves nothing but the note that a sample
 *    was seeded.
 */
import type { Connections } from '../sql/connections.ts';
import { type Drafts, drafts } from './drafts.ts';
import { type Entries, entries } from './entries.ts';
import { type Purging, purging } from './purge.ts';
import { type SeededSamples, seededSamples } from './seeded-samples.ts';
import { type CatalogVersions, catalogVersions } from './versions.ts';

export interface CatalogStore {
  readonly entries: Entries;
  readonly drafts: Drafts;
  readonly versions: CatalogVersions;
  readonly purging: Purging;
  readonly seededSamples: SeededSamples;
}

export function catalogStore(connections: Connections): CatalogStore {
  return {
    entries: entries(connections),
    drafts: drafts(connections),
    versions: catalogVersions(connections),
    purging: purging(connections),
    seededSamples: seededSamples(connections),
  };
}
