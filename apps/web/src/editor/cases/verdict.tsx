/** Whether a case passed, and what is otherwise than it says. */
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { issueWords } from '../problems/issue-words.ts';
import type { CaseResult } from './case-runner.ts';
import styles from './cases.module.css';
import { type ShownDifference, shownDifferences } from './shown-differences.ts';

export type CaseMark = 'running' | 'passed' | 'failed' | 'not-run';

const MARKS = {
  passed: { icon: CircleCheck, word: words.passed },
  failed: { icon: CircleX, word: words.failed },
  'not-run': { icon: CircleDashed, word: words.notRun },
};

/** `isOfBefore`: something is another since. */
export function Mark({ of, isOfBefore }: { readonly of: CaseMark; readonly isOfBefore: boolean }) {
  if (of === 'running')
    return (
      <span className={styles.mark} title={words.running}>
        <Spinner />
      </span>
    );
  const { icon, word } = MARKS[of];
  const text = isOfBefore ? `${word}, ${words.changed}` : word;
  return (
    <span className={styles.mark} data-mark={of} data-of-before={isOfBefore || undefined} title={text}>
      <Icon of={icon} />
      <span className={styles.heard}>{text}</span>
    </span>
  );
}

export const markOf = (result: CaseResult | undefined, isRunning: boolean): CaseMark => {
  if (isRunning) return 'running';
  if (result === undefined) return 'not-run';
  return result.report.passed ? 'passed' : 'failed';
};

/** What keeps code from being run at all. */
export const Issues = ({ issues }: { readonly issues: CaseResult['issues'] }) => (
  <Notice tone="error" title={words.notBuilt}>
    <ul className={styles.issues}>
      {issues.slice(0, 5).map((issue) => (
        <li key={`${issue.file} ${issue.line} ${issue.column} ${issue.message}`}>
          {issueWords(issue)} <code>{`${issue.file}:${issue.line}`}</code>
        </li>
      ))}
    </ul>
  </Notice>
);

export const Differences = ({ report }: { readonly report: CaseResult['report'] }) => (
  <div className={styles.differences}>
    {shownDifferences(
      report.differences.filter((each) => each.kind !== 'error' || each.step === undefined),
    ).map((difference, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list that is drawn once for each run
      <Difference key={at} of={difference} />
    ))}
  </div>
);

function Difference({ of }: { readonly of: ShownDifference }) {
  if (of.kind === 'case' || of.kind === 'error') return <Notice tone="error">{of.message}</Notice>;
  return (
    <section className={styles.difference} aria-label={titleOf(of)}>
      <h4>
        {titleOf(of)}
        {of.stream !== undefined && of.kind !== 'late' && <code>{of.stream}</code>}
      </h4>
      <pre>
        {of.lines.map(({ side, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text
          <span key={at} data-side={side}>
            <span aria-hidden>{SIGNS[side]}</span>
            {side !== 'both' && (
              <span className={styles.heard}>
                {side === 'expected' ? words.expectedSide : words.actualSide}
              </span>
            )}
            {text}
          </span>
        ))}
      </pre>
    </section>
  );
}

const SIGNS = { both: '  ', expected: '− ', actual: '+ ' };

function titleOf({ kind, key }: ShownDifference): string {
  switch (kind) {
    case 'missing':
      return words.missing;
    case 'unexpected':
      return words.unexpected;
    case 'order':
      return words.order;
    case 'late':
      return words.lateDiffers;
    case 'state':
      return words.stateDiffers(key ?? '');
    default:
      return words.differs;
  }
}
