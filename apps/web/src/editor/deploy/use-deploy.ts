/** The steps of a deploy: a version is made, its plan looked at, it is asked for, and followed until it runs. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { type Action, useAction } from '../../api/use-action.ts';
import { deployWords as words } from '../../text/strings/deploy.ts';
import { useEditor } from '../editor-context.tsx';
import type { Deployment } from './deployed-store.ts';
import type { Wanted } from './progress.ts';

export type Plan = AnswerOf<RouteOf<'deployments.plan'>>;

/** What is to run: the draft, a version there is, or one that ran before. */
export type DeployOf =
  | { readonly kind: 'draft' }
  | { readonly kind: 'version' | 'rollback'; readonly number: number };

export interface Deploying {
  readonly plan: Plan | undefined;
  /** Set once it is asked for. */
  readonly wanted: Wanted | undefined;
  /** What the check of the draft found. */
  readonly issues: readonly string[];
  /** The plan became another meanwhile: it is to be looked at again. */
  readonly planNote: string | undefined;
  readonly error: string | undefined;
  readonly busy: boolean;
  /** `revision`: of the draft that was looked at; it is refused where the draft is another by now. */
  readonly publish: (given: { readonly revision: number; readonly message: string }) => Promise<void>;
  readonly makePlan: (version: number) => Promise<void>;
  readonly deploy: (given: {
    readonly workers: number | undefined;
    readonly message: string;
  }) => Promise<void>;
}

export function useDeploy(of: DeployOf, onEdited: () => void): Deploying {
  const { pipeline, deployed } = useEditor();
  const params = { pipeline };
  const [plan, setPlan] = useState<Plan>();
  const [wanted, setWanted] = useState<Wanted>();
  const [issues, setIssues] = useState<readonly string[]>([]);
  const [planNote, setPlanNote] = useState<string>();
  const planFor = async (version: number): Promise<void> =>
    setPlan(await call('deployments.plan', { params, body: { version } }));

  const publish: Action<Parameters<Deploying['publish']>> = useAction(async ({ revision, message }) => {
    setIssues([]);
    try {
      const made = await call('versions.create', { params, body: { message }, ifMatch: revision });
      await planFor(made.number);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'changed-meanwhile') return onEdited();
      setIssues((error.facts.issues ?? []).map((issue) => issue.message));
      throw error;
    }
  });
  const makePlan = useAction(planFor);
  const deploy: Action<Parameters<Deploying['deploy']>> = useAction(async ({ workers, message }) => {
    if (plan === undefined) return;
    const agreed = { version: plan.to, dropState: [...plan.losing], message };
    try {
      const deployment: Deployment =
        of.kind === 'rollback'
          ? await call('deployments.rollback', { params, body: agreed })
          : await call('deployments.deploy', {
              params,
              body: { ...agreed, ...(workers !== undefined && { workers }) },
            });
      deployed.set(deployment);
      setWanted({ version: plan.to, revision: deployment.revision });
    } catch (error) {
      const now = planIn(error);
      if (now === undefined) throw error;
      setPlan(now);
      setPlanNote(words.dialog.planChanged);
    }
  });
  return {
    plan,
    wanted,
    issues,
    planNote,
    error: deploy.error ?? makePlan.error ?? publish.error,
    busy: deploy.busy || makePlan.busy || publish.busy,
    publish: publish.run,
    makePlan: makePlan.run,
    deploy: deploy.run,
  };
}

/** The refusal of a deploy under which state would go that nobody agreed to: it carries the plan as it is now. */
function planIn(error: unknown): Plan | undefined {
  if (!(error instanceof ApiError) || error.code !== 'state-would-go') return undefined;
  return (error.facts.body as { readonly plan?: Plan } | undefined)?.plan;
}
