import type { Store } from '@millrace/store';

/** Whether a workspace has this pipeline. */
export const visiblePipeline =
  ({ catalog }: Pick<Store, 'catalog'>) =>
  async (workspace: string, pipeline: string): Promise<boolean> => {
    const entry = await catalog.entries.get(workspace, pipeline);
    return entry !== undefined && entry.deletedAt === undefined;
  };
