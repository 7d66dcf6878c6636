import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { useProblems } from '../editor-context.tsx';
import styles from './problem-count.module.css';

/** How much is wrong, in the bar; opens the list. */
export function ProblemCount({ onOpen, isOpen }: { readonly onOpen: () => void; readonly isOpen: boolean }) {
  const issues = useProblems();
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const warnings = issues.length - errors;
  const tone = errors > 0 ? 'error' : warnings > 0 ? 'warn' : 'ok';
  const icon = { error: CircleAlert, warn: TriangleAlert, ok: CircleCheck }[tone];
  const text =
    errors > 0 ? counted(errors, 'error') : warnings > 0 ? counted(warnings, 'warning') : 'No problems';
  return (
    <button type="button" className={styles.count} data-tone={tone} aria-expanded={isOpen} onClick={onOpen}>
      <Icon of={icon} size={14} />
      {text}
    </button>
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
