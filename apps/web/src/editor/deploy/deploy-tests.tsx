import { useEffect, useMemo } from 'react';
import { caseWords } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { nameOfPath } from '../cases/cases-of-draft.ts';
import { runnerOf, useCaseFiles, useCaseState } from '../cases/use-cases.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './deploy-dialog.module.css';

const { deploy: words } = caseWords;

export type TestsBefore =
  /** There are none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly count: number; readonly queued: number | undefined }
  | { readonly kind: 'passed'; readonly count: number }
  | { readonly kind: 'failed'; readonly failed: readonly string[]; readonly count: number }
  | { readonly kind: 'not-run'; readonly why: string };

/** The recorded cases of the draft, run once a draft that was looked at; `revision` undefined: not looked at yet. */
export function useTestsBefore(revision: number | undefined): TestsBefore & { readonly again: () => void } {
  const runner = runnerOf(useEditor());
  const files = useCaseFiles();
  const paths = useMemo(() => files.map(({ path }) => path), [files]);
  const { ran, running, queued, error } = useCaseState((state) => state);
  const again = (): void => void runner.run(paths);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each draft that is looked at
  useEffect(() => {
    if (revision !== undefined && paths.length > 0) again();
  }, [revision]);
  const results = paths.map((path) => [path, ran.get(path)?.result.report.passed] as const);
  const state = ((): TestsBefore => {
    if (paths.length === 0) return { kind: 'none' };
    if (error !== undefined) return { kind: 'not-run', why: error };
    if (running.size > 0 || results.some(([, passed]) => passed === undefined))
      return { kind: 'running', count: paths.length, queued };
    const failed = results.flatMap(([path, passed]) => (passed ? [] : [path]));
    return failed.length === 0
      ? { kind: 'passed', count: paths.length }
      : { kind: 'failed', failed, count: paths.length };
  })();
  return { ...state, again };
}

/** Nothing keeps one from deploying what was not asked about; a test that fails asks. */
export const asksFor = ({ kind }: TestsBefore): boolean => kind === 'failed' || kind === 'not-run';

export interface DeployTestsProps {
  readonly tests: ReturnType<typeof useTestsBefore>;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
}

const MOST_NAMED = 5;

export function DeployTests({ tests, agreed, onAgree }: DeployTestsProps) {
  switch (tests.kind) {
    case 'none':
      return null;
    case 'running':
      return (
        <p className={styles.wait} role="status">
          <Spinner />{' '}
          {tests.queued === undefined ? words.running(tests.count) : caseWords.queued(tests.queued)}
        </p>
      );
    case 'passed':
      return <Notice tone="ok">{words.passed(tests.count)}</Notice>;
    default:
      return (
        <>
          <Notice
            tone="warn"
            title={tests.kind === 'failed' ? words.failed(tests.failed.length, tests.count) : words.notRun}
            action={
              <Button size="small" onClick={tests.again}>
                {words.again}
              </Button>
            }
          >
            {tests.kind === 'failed' ? namesOf(tests.failed) : tests.why}
          </Notice>
          <Checkbox checked={agreed} onChange={onAgree} label={words.anyway} about={words.anywayAbout} />
        </>
      );
  }
}

const namesOf = (paths: readonly string[]): string =>
  `${paths.slice(0, MOST_NAMED).map(nameOfPath).join(', ')}${paths.length > MOST_NAMED ? ', …' : ''}`;
