import { Eraser, FlaskConical, ListPlus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { tryName } from './case-runner.ts';
import { type CaseStep, NEW_CASE, writeCase } from './case-text.ts';
import styles from './cases.module.css';
import { casePathFor } from './cases-of-draft.ts';
import { PickRecords } from './pick-records.tsx';
import { inputsOf, outputsOf } from './ports-of-node.ts';
import { RunNote } from './run-note.tsx';
import { newStep, StepList } from './step-list.tsx';
import { msText } from './step-outcome.tsx';
import { takeResults } from './taken-results.ts';
import { runnerOf, useCaseState, useRan, useRunsAsTyped } from './use-cases.ts';
import { Differences, Issues } from './verdict.tsx';

const NO_STEPS: readonly CaseStep[] = [];

/** Beside the code of a node: records go in, and one sees what it does with them, as one types. */
export function TryIt({ node, onClose }: { readonly node: string; readonly onClose: () => void }) {
  const editor = useEditor();
  const runner = runnerOf(editor);
  const steps = useCaseState((state) => state.tries.get(node)) ?? NO_STEPS;
  const { pipeline } = useReading();
  const [isPicking, setPicking] = useState(false);
  const inputs = inputsOf(pipeline, node);
  const setSteps = (next: readonly CaseStep[]): void => runner.setTry(node, next);
  const text = useMemo(() => writeCase({ ...NEW_CASE, node, steps }), [node, steps]);
  useRunsAsTyped(tryName(node), text, () => runner.tryOut(node, text), steps.length > 0);
  const pick = (picked: readonly CaseStep[]): void => setSteps([...steps, ...picked]);
  return (
    <section className={styles.try} aria-label={words.tryIt}>
      <TryHead node={node} steps={steps} isPicking={isPicking} onPicking={setPicking} onClose={onClose} />
      {isPicking && <PickRecords node={node} onPick={pick} />}
      <div className={styles.body}>
        <RunNote />
        {steps.length > 0 ? (
          <Tried node={node} steps={steps} inputs={inputs} onChange={setSteps} />
        ) : (
          !isPicking && (
            <EmptyState
              title={words.firstTry}
              action={
                <span className={styles.actions}>
                  <Button size="small" icon={ListPlus} onClick={() => setPicking(true)}>
                    {words.pick}
                  </Button>
                  <Button size="small" look="quiet" onClick={() => setSteps([newStep('record', [], inputs)])}>
                    {words.write}
                  </Button>
                </span>
              }
            >
              {inputs.length === 0 ? words.noInputs : words.firstTryAbout}
            </EmptyState>
          )
        )}
      </div>
    </section>
  );
}

interface TryHeadProps {
  readonly node: string;
  readonly steps: readonly CaseStep[];
  readonly isPicking: boolean;
  readonly onPicking: (isPicking: boolean) => void;
  readonly onClose: () => void;
}

function TryHead({ node, steps, isPicking, onPicking, onClose }: TryHeadProps) {
  const { actions, draft, canEdit, ...rest } = useEditor();
  const runner = runnerOf({ actions, draft, canEdit, ...rest });
  const { ran, isOfBefore } = useRan(tryName(node));
  const report = ran?.result.report;
  const isSound = report?.passed === true && !isOfBefore;
  const save = (): void => {
    if (report === undefined) return;
    const { pipeline, files } = draft.document.read();
    const path = casePathFor(
      pipeline.nodes.get(node)?.name ?? '',
      [...files.values()].map((file) => file.path),
    );
    const recorded = takeResults({ ...NEW_CASE, node, steps }, report, outputsOf(pipeline, node));
    if (actions.run({ kind: 'add-file', path, text: writeCase(recorded) }) === undefined) return;
    toast('ok', words.savedAs(path));
  };
  return (
    <header className={styles.head}>
      <strong>{words.tryIt}</strong>
      {steps.length > 0 && <RunState node={node} />}
      <IconButton
        size="small"
        icon={ListPlus}
        label={words.pick}
        pressed={isPicking}
        onClick={() => onPicking(!isPicking)}
      />
      {steps.length > 0 && (
        <>
          <IconButton
            size="small"
            icon={Eraser}
            label={words.clear}
            onClick={() => runner.setTry(node, [])}
          />
          {canEdit && (
            <Button size="small" icon={FlaskConical} disabled={!isSound} onClick={save}>
              {words.saveAsTest}
            </Button>
          )}
        </>
      )}
      <IconButton size="small" icon={X} label={words.closeTry} onClick={onClose} />
    </header>
  );
}

function RunState({ node }: { readonly node: string }) {
  const { ran, isOfBefore } = useRan(tryName(node));
  const isRunning = useCaseState((state) => state.running.has(tryName(node)));
  const steps = ran?.result.report.steps ?? [];
  const ms = steps.reduce((sum, step) => sum + step.ms, 0);
  return (
    <span className={styles.runState} role="status">
      {isRunning || isOfBefore ? <Spinner /> : steps.length > 0 && words.ran(msText(ms))}
    </span>
  );
}

interface TriedProps {
  readonly node: string;
  readonly steps: readonly CaseStep[];
  readonly inputs: readonly string[];
  readonly onChange: (steps: readonly CaseStep[]) => void;
}

function Tried({ node, steps, inputs, onChange }: TriedProps) {
  const { ran, isOfBefore } = useRan(tryName(node));
  const report = ran?.result.report;
  const issues = ran?.result.issues ?? [];
  return (
    <>
      {issues.length > 0 && <Issues issues={issues} />}
      {report !== undefined && <Differences report={report} />}
      <StepList
        steps={steps}
        inputs={inputs}
        disabled={false}
        report={issues.length > 0 ? undefined : report}
        isOfBefore={isOfBefore}
        onChange={onChange}
      />
      {report?.cut && <p className={styles.quiet}>{words.cut}</p>}
    </>
  );
}
