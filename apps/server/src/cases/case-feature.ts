/** Runs cases for open editors, bound to its route. */
import { filterLauncher, triedCode } from '@millrace/deployment';
import { accountOf, type CatalogContext } from '../catalog/catalog-context.ts';
import { readDraft, storedDraftOf } from '../catalog/draft-routes.ts';
import type { Feature } from '../http/handler.ts';
import { retryLater } from '../http/problem.ts';
import { type CaseWorkers, caseWorkers } from './case-workers.ts';
import { nodePrograms } from './node-programs.ts';
import { casesOf, runCases } from './run-cases.ts';

export interface Cases {
  readonly feature: Feature;
  close(): Promise<void>;
}

export function cases(context: CatalogContext): Cases {
  const launcher = filterLauncher();
  const workers = caseWorkers(() => triedCode(launcher));
  return {
    feature: caseFeature(context, workers),
    async close() {
      workers.close();
      await launcher.close();
    },
  };
}

export const caseFeature =
  (context: CatalogContext, workers: CaseWorkers): Feature =>
  (bind) => {
    const programs = nodePrograms(context.types);
    bind('cases.run', async ({ workspace, actor, params, body }) => {
      const who = accountOf(actor);
      // Before anything is waited for: whoever may not see the pipeline takes nobody's place.
      await storedDraftOf(context, workspace, params.pipeline);
      const turn = await workers.run({ account: who, editor: body.editor }, async (code) => {
        const draft = await storedDraftOf(context, workspace, params.pipeline);
        const { folder } = await readDraft(context, params.pipeline, draft);
        const tried = body.try && [{ ...body.try, path: null }];
        const results = await runCases(tried ?? casesOf(folder, body.paths), { folder, code, programs, who });
        return { revision: draft.revision, results };
      });
      if (turn.kind === 'queued') return turn;
      if (turn.kind === 'busy')
        throw retryLater(429, 'case-running', 'The last one of this editor is still running.', 1);
      return { kind: 'done' as const, ...turn.result };
    });
  };
