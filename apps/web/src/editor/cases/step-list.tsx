import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import type { CaseResult } from './case-runner.ts';
import type { CaseStep } from './case-text.ts';
import styles from './cases.module.css';
import { JsonField, KeyField, TimeField } from './fields.tsx';
import { StepOutcome } from './step-outcome.tsx';

export interface StepListProps {
  readonly steps: readonly CaseStep[];
  /** Inputs of the node that something leads to. */
  readonly inputs: readonly string[];
  readonly disabled: boolean;
  readonly report: CaseResult['report'] | undefined;
  readonly isOfBefore: boolean;
  readonly onChange: (steps: readonly CaseStep[]) => void;
}

const KINDS = ['record', 'watermark', 'wall', 'restart', 'end'] as const;

/** What is fed to a node, step by step, and below each step what it did. */
export function StepList({ steps, inputs, disabled, report, isOfBefore, onChange }: StepListProps) {
  const failedAt = report?.differences.find(({ kind, step }) => kind === 'error' && step !== undefined);
  const change = (at: number, step: CaseStep): void => onChange(steps.with(at, step));
  return (
    <>
      <ol className={styles.steps} data-of-before={isOfBefore || undefined}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no name; where one goes all are drawn anew
          <li key={`${steps.length} ${at} ${step.kind}`} className={styles.step}>
            <header className={styles.stepHead}>
              <b title={words.stepAbout[step.kind]}>{words[step.kind]}</b>
              {step.kind === 'record' && (
                <span className={styles.input}>
                  <Select
                    size="small"
                    label={words.input}
                    value={step.stream}
                    disabled={disabled}
                    options={[...new Set([...inputs, step.stream])].map((value) => ({ value, label: value }))}
                    onChange={(stream) => change(at, { ...step, stream })}
                  />
                </span>
              )}
              {!disabled && at > 0 && (
                <IconButton
                  size="small"
                  icon={ArrowUp}
                  label={words.moveUp}
                  onClick={() => onChange(moved(steps, at))}
                />
              )}
              {!disabled && (
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={words.deleteStep}
                  onClick={() => onChange(steps.toSpliced(at, 1))}
                />
              )}
            </header>
            <StepFields step={step} disabled={disabled} onChange={(next) => change(at, next)} />
            {report !== undefined && (
              <StepOutcome
                trace={report.steps[at]}
                failure={failedAt?.step === at ? failedAt.message : undefined}
                wasRun={failedAt?.step === undefined || at <= failedAt.step}
              />
            )}
          </li>
        ))}
      </ol>
      {!disabled && <AddStep steps={steps} inputs={inputs} onChange={onChange} />}
    </>
  );
}

const moved = (steps: readonly CaseStep[], at: number): readonly CaseStep[] => {
  const step = steps[at] as CaseStep;
  return steps.toSpliced(at, 1).toSpliced(at - 1, 0, step);
};

type AddStepProps = Pick<StepListProps, 'steps' | 'inputs' | 'onChange'>;

function AddStep({ steps, inputs, onChange }: AddStepProps) {
  return (
    <span>
      <Menu
        align="start"
        trigger={
          <Button size="small" look="quiet" flush icon={Plus}>
            {words.addStep}
          </Button>
        }
      >
        {KINDS.map((kind) => (
          <MenuItem key={kind} onSelect={() => onChange([...steps, newStep(kind, steps, inputs)])}>
            {words[kind]}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

/** Like the last one of its kind, so that one only changes what is another. */
export function newStep(
  kind: CaseStep['kind'],
  steps: readonly CaseStep[],
  inputs: readonly string[],
): CaseStep {
  const last = steps.findLast((step) => step.kind === kind);
  const times = steps.flatMap((step) =>
    step.kind === 'record' ? [step.timestamp] : step.kind === 'watermark' ? [step.time] : [],
  );
  switch (kind) {
    case 'record':
      if (last?.kind === 'record') return last;
      return { kind, stream: inputs[0] ?? 'in', key: '', value: '{}', timestamp: times.at(-1) ?? 0 };
    case 'watermark':
      return { kind, time: Math.max(0, ...times) };
    case 'wall':
      return { kind, time: last?.kind === 'wall' ? last.time : 0 };
    default:
      return { kind };
  }
}

interface StepFieldsProps {
  readonly step: CaseStep;
  readonly disabled: boolean;
  readonly onChange: (step: CaseStep) => void;
}

function StepFields({ step, disabled, onChange }: StepFieldsProps): ReactNode {
  switch (step.kind) {
    case 'record':
      return (
        <div className={styles.fields}>
          <Row label={words.key}>
            <KeyField
              label={words.key}
              value={step.key ?? ''}
              disabled={disabled}
              onChange={(key) => onChange({ ...step, key })}
            />
          </Row>
          <Row label={words.time}>
            <TimeField
              label={words.time}
              value={step.timestamp}
              disabled={disabled}
              onChange={(timestamp) => timestamp !== undefined && onChange({ ...step, timestamp })}
            />
          </Row>
          <Row label={words.value}>
            <JsonField
              label={words.value}
              value={step.value}
              disabled={disabled}
              onChange={(value) => onChange({ ...step, value })}
            />
          </Row>
        </div>
      );
    case 'watermark':
    case 'wall':
      return (
        <div className={styles.fields}>
          <Row label={words.time}>
            <TimeField
              label={words.time}
              value={step.time}
              disabled={disabled}
              onChange={(time) => time !== undefined && onChange({ ...step, time })}
            />
          </Row>
        </div>
      );
    default:
      return null;
  }
}

export const Row = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles.row}>
    <span aria-hidden>{label}</span>
    <div>{children}</div>
  </div>
);
