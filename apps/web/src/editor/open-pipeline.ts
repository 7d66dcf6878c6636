/** What stays open of a pipeline while its page is there, whatever of it is shown: the shared draft, and what runs. */
import type { SharedDraft } from '../document/shared-draft.ts';
import { type DeployedStore, openDeployedStore } from './deploy/deployed-store.ts';
import { type DraftWanted, loadDraft } from './load-draft.ts';

export interface OpenedPipeline {
  readonly pipeline: string;
  readonly draft: SharedDraft;
  readonly canEdit: boolean;
  readonly deployed: DeployedStore;
  readonly close: () => void;
}

export async function openPipeline(wanted: DraftWanted, signal: AbortSignal): Promise<OpenedPipeline> {
  const { draft, canEdit } = await loadDraft(wanted, signal);
  const deployed = openDeployedStore(wanted.pipeline);
  return {
    pipeline: wanted.pipeline,
    draft,
    canEdit,
    deployed,
    close: () => {
      deployed.close();
      // Edits of the last moment go out before the document is let go.
      void draft.flush().finally(draft.close);
    },
  };
}
