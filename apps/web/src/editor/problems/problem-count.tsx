import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { problemWords as words } from '../../text/strings/problems.ts';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useChecking, useEditor, useProblems } from '../editor-context.tsx';
import styles from './problem-count.module.css';

/** How much is wrong, in the bar; opens the list. What is not known yet is not called sound. */
export function ProblemCount({ onOpen, isOpen }: { readonly onOpen: () => void; readonly isOpen: boolean }) {
  const issues = useProblems();
  const { checking, failed } = useStore(useEditor().code.store);
  // Of who has just begun nothing is wrong.
  const isBare = issues.length === 1 && issues[0]?.code === 'no-nodes';
  const errors = isBare ? 0 : issues.filter(({ severity }) => severity === 'error').length;
  const warnings = isBare ? 0 : issues.length - errors;
  const isLate = useChecking();
  const isOpenQuestion = (issues.length === 0 && checking && !failed) || isLate;
  const tone = errors > 0 ? 'error' : warnings > 0 || failed ? 'warn' : 'ok';
  const icon = { error: CircleAlert, warn: TriangleAlert, ok: CircleCheck }[tone];
  const text =
    errors > 0
      ? words.errors(errors)
      : warnings > 0
        ? words.warnings(warnings)
        : isBare
          ? words.bare
          : words.none;
  return (
    <button
      type="button"
      className={styles.count}
      data-tone={isOpenQuestion ? 'ok' : tone}
      aria-expanded={isOpen}
      onClick={onOpen}
    >
      {isOpenQuestion ? <Spinner /> : <Icon of={icon} size={14} />}
      {isOpenQuestion ? words.checking : failed && issues.length === 0 ? words.unchecked : text}
    </button>
  );
}
