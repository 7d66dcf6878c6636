/**
 * From the draft to what runs, in two steps: a version with a message, then the plan of what it does to each node and
 * its state. Nothing runs before the plan was seen.
 */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor, useProblems } from '../editor-context.tsx';
import { Changes } from './changes.tsx';
import styles from './deploy-dialog.module.css';
import { PlanList } from './plan-list.tsx';
import type { Deployment } from './use-deployment.ts';

type Plan = AnswerOf<RouteOf<'deployments.plan'>>;

export interface DeployDialogProps {
  /** A version that exists; undefined: the draft is to become one. */
  readonly version: number | undefined;
  readonly running: number | undefined;
  readonly onDone: (deployment: Deployment) => void;
  readonly onClose: () => void;
}

export function DeployDialog({ version: given, running, onDone, onClose }: DeployDialogProps) {
  const { pipeline, draft } = useEditor();
  const params = { pipeline };
  const errors = useProblems().filter(({ severity }) => severity === 'error').length;
  const [message, setMessage] = useState('');
  const [plan, setPlan] = useState<Plan>();
  const [agreed, setAgreed] = useState(false);
  const [issues, setIssues] = useState<readonly string[]>([]);
  const prepare = useAction(async (version?: number) => {
    setIssues([]);
    try {
      const number = version ?? (await publish());
      setPlan(await call('deployments.plan', { params, body: { version: number } }));
    } catch (error) {
      if (error instanceof ApiError && error.facts.issues !== undefined)
        setIssues(error.facts.issues.map((issue) => issue.message));
      throw error;
    }
  });
  const publish = async (): Promise<number> => {
    await draft.flush();
    return (await call('versions.create', { params, body: { message } })).number;
  };
  const deploy = useAction(async () => {
    if (plan === undefined) return;
    const body = { version: plan.to, dropState: [...plan.losing], message };
    onDone(await call('deployments.deploy', { params, body }));
    toast('ok', `Version ${plan.to} is being started.`);
    onClose();
  });
  const { run } = prepare;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, when the dialog opens
  useEffect(() => {
    if (given !== undefined) void run(given);
  }, [given]);

  const error = deploy.error ?? prepare.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={plan === undefined ? 'Deploy this draft' : `Deploy version ${plan.to}`}
      about={
        plan === undefined
          ? 'It is checked and built as a version. What it does to each node is shown before anything runs.'
          : aboutOf(plan)
      }
      width="wide"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {plan === undefined ? (
            <Button look="primary" busy={prepare.busy} disabled={errors > 0} onClick={() => void run()}>
              Check and plan
            </Button>
          ) : (
            <Button
              look="primary"
              busy={deploy.busy}
              disabled={plan.losing.length > 0 && !agreed}
              onClick={() => void deploy.run()}
            >
              Deploy version {plan.to}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.body}>
        {error && (
          <Notice tone="error" title={error}>
            {issues.length > 0 && (
              <ul className={styles.issues}>
                {issues.slice(0, 8).map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        {plan === undefined && given === undefined && (
          <>
            {errors > 0 && (
              <Notice tone="error">
                {errors === 1 ? 'One error keeps' : `${errors} errors keep`} this draft from running. Problems
                shows {errors === 1 ? 'it' : 'them'}.
              </Notice>
            )}
            <Field label="What changed" hint="For the list of versions. May stay empty.">
              {(control) => (
                <TextInput
                  {...control}
                  value={message}
                  maxLength={2_000}
                  autoFocus
                  onChange={(event) => setMessage(event.target.value)}
                />
              )}
            </Field>
            <Changes from={running} />
          </>
        )}
        {plan === undefined && given !== undefined && prepare.busy && <Spinner />}
        {plan !== undefined && (
          <>
            {plan.trouble !== null && <Notice tone="warn">{plan.trouble}</Notice>}
            <PlanList plan={plan} />
            {plan.losing.length > 0 && (
              <Checkbox
                checked={agreed}
                onChange={setAgreed}
                label={`Give up the state of ${namesOf(plan)}`}
                about="What is stored for these nodes cannot be carried over and is deleted."
              />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function aboutOf({ from, to }: Plan): string {
  if (from === null) return 'Nothing runs yet: every node begins without state.';
  if (from === to) return 'This version is the one that runs.';
  return `Takes over from version ${from}, record by record, with the state of the nodes that stay.`;
}

const namesOf = ({ nodes, losing }: Plan): string =>
  losing.map((id) => nodes.find((node) => node.id === id)?.name ?? id).join(', ');
