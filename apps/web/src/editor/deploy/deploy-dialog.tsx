/**
 * From the draft, or a version, to what runs: what goes out is looked at, then the plan of what it does to each node
 * and its state, then it is followed until it runs. Nothing runs before the plan was seen.
 */
import { useEffect, useState } from 'react';
import { deployWords } from '../../text/strings/deploy.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useDeployed, useProblems } from '../editor-context.tsx';
import styles from './deploy-dialog.module.css';
import { asksFor, DeployTests, useTestsBefore } from './deploy-tests.tsx';
import { DraftStep } from './draft-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { ProgressStep } from './progress-step.tsx';
import { type Deploying, type DeployOf, type Plan, useDeploy } from './use-deploy.ts';
import { useFrozenDraft } from './use-frozen-draft.ts';

const { dialog: words } = deployWords;

export interface DeployDialogProps {
  readonly of: DeployOf;
  readonly onClose: () => void;
}

export function DeployDialog({ of: given, onClose }: DeployDialogProps) {
  // What is followed may be rolled back from here.
  const [of, setOf] = useState(given);
  return (
    <Steps
      key={`${of.kind} ${of.kind === 'draft' ? '' : of.number}`}
      of={of}
      onClose={onClose}
      onRollback={(number) => setOf({ kind: 'rollback', number })}
    />
  );
}

interface StepsProps extends DeployDialogProps {
  readonly onRollback: (number: number) => void;
}

function Steps({ of, onClose, onRollback }: StepsProps) {
  const frozen = useFrozenDraft();
  const looked =
    of.kind === 'draft' && frozen.state.kind === 'ready' ? frozen.state.value.revision : undefined;
  const tests = useTestsBefore(looked);
  const [goesOn, setGoesOn] = useState(false);
  const deploying = useDeploy(of, frozen.setEdited);
  const { plan, wanted, makePlan, error, issues, busy } = deploying;
  const [message, setMessage] = useState('');
  // A plan that became another is agreed to anew.
  const [agreedTo, setAgreedTo] = useState<Plan>();
  const before = useDeployed((state) => state.deployment)?.workers ?? 1;
  const [workers, setWorkers] = useState<number>();
  const number = of.kind === 'draft' ? undefined : of.number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, when the dialog opens
  useEffect(() => {
    if (number !== undefined) void makePlan(number);
  }, [number]);
  const agreed = agreedTo !== undefined && agreedTo === plan;

  if (wanted !== undefined)
    return (
      <ProgressStep
        wanted={wanted}
        from={plan?.from ?? undefined}
        onClose={onClose}
        onRollback={onRollback}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={titleOf(of, plan)}
      about={plan === undefined ? of.kind === 'draft' && words.draftAbout : aboutOf(plan)}
      width="wide"
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          {plan === undefined ? (
            of.kind === 'draft' && (
              <CheckButton
                deploying={deploying}
                frozen={frozen}
                message={message}
                waits={tests.kind === 'running' || (asksFor(tests) && !goesOn)}
              />
            )
          ) : (
            <Button
              look="primary"
              busy={busy}
              disabled={plan.losing.length > 0 && !agreed}
              onClick={() => void deploying.deploy({ workers, message })}
            >
              {of.kind === 'rollback' ? words.rollback(plan.to) : words.deploy(plan.to)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.body}>
        {error && <Trouble error={error} issues={issues} />}
        {plan === undefined && of.kind === 'draft' && (
          <>
            <DraftStep frozen={frozen} message={message} onMessage={setMessage} />
            <DeployTests tests={tests} agreed={goesOn} onAgree={setGoesOn} />
          </>
        )}
        {plan === undefined && of.kind !== 'draft' && busy && (
          <p className={styles.wait}>
            <Spinner /> {words.planning}
          </p>
        )}
        {plan !== undefined && (
          <PlanStep
            plan={plan}
            note={deploying.planNote}
            edited={of.kind === 'draft' && frozen.edited !== undefined}
            workers={workers ?? before}
            onWorkers={of.kind === 'rollback' ? undefined : setWorkers}
            agreed={agreed}
            onAgree={(yes) => setAgreedTo(yes ? plan : undefined)}
          />
        )}
      </div>
    </Dialog>
  );
}

interface CheckButtonProps {
  readonly deploying: Deploying;
  readonly frozen: ReturnType<typeof useFrozenDraft>;
  readonly message: string;
  /** For the tests, or for somebody to say that they do not matter. */
  readonly waits: boolean;
}

function CheckButton({ deploying, frozen: { state, edited }, message, waits }: CheckButtonProps) {
  const errors = useProblems().filter(({ severity }) => severity === 'error').length;
  const frozen = state.kind === 'ready' ? state.value : undefined;
  return (
    <Button
      look="primary"
      busy={deploying.busy}
      disabled={errors > 0 || waits || frozen === undefined || edited !== undefined}
      onClick={() => frozen && void deploying.publish({ revision: frozen.revision, message })}
    >
      {words.check}
    </Button>
  );
}

const SHOWN_ISSUES = 8;

const Trouble = ({ error, issues }: { readonly error: string; readonly issues: readonly string[] }) => (
  <Notice tone="error" title={error}>
    {issues.length > 0 && (
      <ul className={styles.issues}>
        {issues.slice(0, SHOWN_ISSUES).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {issues.length > SHOWN_ISSUES && <li>{words.moreIssues(issues.length - SHOWN_ISSUES)}</li>}
      </ul>
    )}
  </Notice>
);

function titleOf(of: DeployOf, plan: Plan | undefined): string {
  if (of.kind === 'rollback') return words.rollbackTitle(of.number);
  if (of.kind === 'version') return words.planTitle(of.number);
  return plan === undefined ? words.draftTitle : words.planTitle(plan.to);
}

function aboutOf({ from, to }: Plan): string {
  if (from === null) return words.aboutFirst;
  return from === to ? words.aboutSame : words.aboutFrom(from);
}
