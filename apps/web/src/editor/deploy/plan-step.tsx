import { deployWords } from '../../text/strings/deploy.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import styles from './deploy-dialog.module.css';
import { PlanList } from './plan-list.tsx';
import type { Plan } from './use-deploy.ts';

const { dialog: words } = deployWords;
const MOST_WORKERS = 64;

export interface PlanStepProps {
  readonly plan: Plan;
  /** Why it is to be looked at again. */
  readonly note: string | undefined;
  /** The draft is another than the version by now. */
  readonly edited: boolean;
  readonly workers: number;
  /** Undefined: as many as before. */
  readonly onWorkers: ((workers: number) => void) | undefined;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
}

/** What the deploy does to each node, and what has to be agreed to. */
export function PlanStep({ plan, note, edited, workers, onWorkers, agreed, onAgree }: PlanStepProps) {
  return (
    <>
      {note && <Notice tone="warn">{note}</Notice>}
      {edited && <Notice tone="info">{words.editedLater(plan.to)}</Notice>}
      {plan.trouble !== null && (
        <Notice tone="warn" title={plan.trouble}>
          {words.troubleRemedy}
        </Notice>
      )}
      <PlanList plan={plan} />
      {onWorkers && (
        <div className={styles.workers}>
          <Field label={words.workers} hint={words.workersHint}>
            {(control) => (
              <TextInput
                {...control}
                type="number"
                min={1}
                max={MOST_WORKERS}
                value={workers}
                onChange={({ target }) => {
                  const count = Math.round(target.valueAsNumber);
                  if (count >= 1 && count <= MOST_WORKERS) onWorkers(count);
                }}
              />
            )}
          </Field>
        </div>
      )}
      {plan.losing.length > 0 && (
        <Checkbox
          checked={agreed}
          onChange={onAgree}
          label={words.giveUp(namesOf(plan))}
          about={words.giveUpAbout}
        />
      )}
    </>
  );
}

const namesOf = ({ nodes, losing }: Plan): string =>
  losing.map((id) => nodes.find((node) => node.id === id)?.name ?? id).join(', ');
