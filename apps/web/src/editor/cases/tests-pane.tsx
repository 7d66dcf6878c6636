import { Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useEditor, useReading } from '../editor-context.tsx';
import { NEW_CASE, writeCase } from './case-text.ts';
import { CaseView } from './case-view.tsx';
import styles from './cases.module.css';
import { type CaseFile, casePathFor, nameOfPath } from './cases-of-draft.ts';
import { inputsOf } from './ports-of-node.ts';
import { RunNote } from './run-note.tsx';
import { newStep } from './step-list.tsx';
import { runnerOf, useCaseFiles, useCaseState, useMayRun, useRan } from './use-cases.ts';
import { Mark, markOf } from './verdict.tsx';

/** The recorded cases of a node: run, looked at, edited, made. */
export function TestsPane({ node }: { readonly node: string }) {
  const [shown, setShown] = useState<string>();
  const files = useCaseFiles().filter((file) => file.node === node);
  const file = files.find(({ id }) => id === shown);
  if (file !== undefined)
    return (
      <CaseView key={file.id} file={file} node={node} onBack={() => setShown(undefined)} onShow={setShown} />
    );
  return <CaseList node={node} files={files} onShow={setShown} />;
}

interface CaseListProps {
  readonly node: string;
  readonly files: readonly CaseFile[];
  readonly onShow: (file: string) => void;
}

function CaseList({ node, files, onShow }: CaseListProps) {
  const editor = useEditor();
  const { actions, canEdit } = editor;
  const reading = useReading();
  const mayRun = useMayRun();
  const isRunning = useCaseState((state) => state.running.size > 0);
  const add = (): void => {
    const { pipeline } = reading;
    const path = casePathFor(
      pipeline.nodes.get(node)?.name ?? '',
      [...reading.files.values()].map((each) => each.path),
    );
    const inputs = inputsOf(pipeline, node);
    const text = writeCase({ ...NEW_CASE, node, steps: [newStep('record', [], inputs), { kind: 'end' }] });
    const made = actions.run({ kind: 'add-file', path, text })?.made[0];
    if (made !== undefined) onShow(made);
  };
  if (files.length === 0)
    return (
      <EmptyState
        title={words.none}
        action={
          canEdit && (
            <Button size="small" icon={Plus} onClick={add}>
              {words.newCase}
            </Button>
          )
        }
      >
        {canEdit ? words.noneAbout : words.noneReadOnly}
      </EmptyState>
    );
  return (
    <div className={styles.pane}>
      {mayRun && (
        <div className={styles.tools}>
          <Button
            size="small"
            icon={Play}
            busy={isRunning}
            onClick={() => void runnerOf(editor).run(files.map(({ path }) => path))}
          >
            {words.runAll}
          </Button>
          {canEdit && (
            <Button size="small" look="quiet" icon={Plus} onClick={add}>
              {words.newCase}
            </Button>
          )}
          <Passed files={files} />
        </div>
      )}
      <div className={styles.notes}>
        <RunNote />
      </div>
      <ul className={styles.list} aria-label={words.tests}>
        {files.map((file) => (
          <li key={file.id}>
            <CaseRow file={file} onShow={() => onShow(file.id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Passed({ files }: { readonly files: readonly CaseFile[] }) {
  const ran = useCaseState((state) => state.ran);
  const results = files.flatMap(({ path }) => ran.get(path) ?? []);
  if (results.length === 0) return null;
  const passed = results.filter(({ result }) => result.report.passed).length;
  return (
    <span className={styles.count} role="status">
      {words.passedOf(passed, results.length)}
    </span>
  );
}

function CaseRow({ file, onShow }: { readonly file: CaseFile; readonly onShow: () => void }) {
  const { ran, isOfBefore } = useRan(file.path);
  const isRunning = useCaseState((state) => state.running.has(file.path));
  const report = ran?.result.report;
  const [first] = report?.differences ?? [];
  const about = first?.message.split('\n')[0] ?? ran?.result.issues[0]?.message;
  return (
    <button type="button" className={styles.case} onClick={onShow}>
      <Mark of={markOf(ran?.result, isRunning)} isOfBefore={isOfBefore} />
      <span className={styles.caseName}>{nameOfPath(file.path)}</span>
      {report?.passed === false && about !== undefined && <small>{about}</small>}
    </button>
  );
}
