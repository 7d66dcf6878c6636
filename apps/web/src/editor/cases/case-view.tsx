import { Braces, ChevronLeft, CopyPlus, PencilLine, Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { useBuffered } from '../inspector/form/use-buffered.ts';
import { type RecordedCase, readCase, writeCase } from './case-text.ts';
import styles from './cases.module.css';
import { type CaseFile, casePathFor, nameOfPath, pathOfName } from './cases-of-draft.ts';
import { Expectations } from './expectations.tsx';
import { inputsOf, outputsOf } from './ports-of-node.ts';
import { RunNote } from './run-note.tsx';
import { shownDifferences } from './shown-differences.ts';
import { StepList } from './step-list.tsx';
import { takeResults } from './taken-results.ts';
import { runnerOf, useCaseState, useMayRun, useRan, useRunsAsTyped } from './use-cases.ts';
import { Differences, Issues, Mark, markOf } from './verdict.tsx';
import { writeText } from './write-cases.ts';

export interface CaseViewProps {
  readonly file: CaseFile;
  readonly node: string;
  readonly onBack: () => void;
  /** Another file is to be shown. */
  readonly onShow: (file: string) => void;
}

/** One recorded case: what is fed in, what must come out, and what became of it, run anew as it is edited. */
export function CaseView({ file, node, onBack, onShow }: CaseViewProps) {
  const editor = useEditor();
  const { actions, canEdit } = editor;
  const [isText, setText] = useState(false);
  const recorded = useMemo(() => readCase(file.text), [file.text]);
  const runner = runnerOf(editor);
  const run = () => runner.run([file.path]);
  useRunsAsTyped(file.path, '', run, useMayRun());
  const { ran, isOfBefore } = useRan(file.path);
  const isRunning = useCaseState((state) => state.running.has(file.path));
  const { pipeline } = useReading();
  const report = ran?.result.report;
  const write = (next: RecordedCase): void => writeText(actions, file, writeCase(next));
  const outputs = [
    ...new Set([
      ...outputsOf(pipeline, node),
      ...(report?.steps.flatMap(({ events }) =>
        events.flatMap((event) => (event.kind === 'output' && event.stream !== 'late' ? [event.stream] : [])),
      ) ?? []),
    ]),
  ];
  return (
    <div className={styles.pane}>
      <CaseHead
        file={file}
        isText={isText || recorded === undefined}
        onText={recorded === undefined ? undefined : setText}
        onRun={run}
        onBack={onBack}
        onShow={onShow}
      />
      <div className={styles.body}>
        <p className={styles.summary}>
          <Mark of={markOf(ran?.result, isRunning && ran === undefined)} isOfBefore={isOfBefore} />
          {report === undefined
            ? words.notRun
            : report.passed
              ? words.passed
              : words.differences(Math.max(1, shownDifferences(report.differences).length))}
          {report !== undefined &&
            !report.passed &&
            recorded !== undefined &&
            canEdit &&
            report.steps.length > 0 && (
              <Button
                size="small"
                title={words.takeAbout}
                disabled={isOfBefore}
                onClick={() => write(takeResults(recorded, report, outputsOf(pipeline, node)))}
              >
                {words.take}
              </Button>
            )}
        </p>
        <RunNote />
        {ran !== undefined && ran.result.issues.length > 0 && <Issues issues={ran.result.issues} />}
        {report !== undefined && <Differences report={report} />}
        {isText || recorded === undefined ? (
          <AsText file={file} isBroken={recorded === undefined} />
        ) : (
          <>
            <h3>{words.steps}</h3>
            <StepList
              steps={recorded.steps}
              inputs={inputsOf(pipeline, node)}
              disabled={!canEdit}
              report={report}
              isOfBefore={isOfBefore}
              onChange={(steps) => write({ ...recorded, steps })}
            />
            <h3>{words.expected}</h3>
            <Expectations recorded={recorded} outputs={outputs} disabled={!canEdit} onChange={write} />
          </>
        )}
        {report?.cut && <p className={styles.quiet}>{words.cut}</p>}
      </div>
    </div>
  );
}

interface CaseHeadProps {
  readonly file: CaseFile;
  readonly isText: boolean;
  /** Undefined: there is no form of it. */
  readonly onText: ((isText: boolean) => void) | undefined;
  readonly onRun: () => Promise<void>;
  readonly onBack: () => void;
  readonly onShow: (file: string) => void;
}

function CaseHead({ file, isText, onText, onRun, onBack, onShow }: CaseHeadProps) {
  const { actions, canEdit, draft } = useEditor();
  const mayRun = useMayRun();
  const [isNaming, setNaming] = useState(false);
  const rename = (name: string): void => {
    if (name.trim() === '' || pathOfName(name) === file.path) return;
    actions.run({ kind: 'rename-file', file: file.id, path: pathOfName(name) });
  };
  const duplicate = (): void => {
    const taken = [...draft.document.read().files.values()].map(({ path }) => path);
    const path = casePathFor(nameOfPath(file.path), taken);
    const made = actions.run({ kind: 'add-file', path, text: file.text })?.made[0];
    if (made !== undefined) onShow(made);
  };
  const remove = (): void => {
    if (!actions.run({ kind: 'delete-files', files: [file.id] })) return;
    toast('info', words.removed(file.path));
    onBack();
  };
  return (
    <header className={styles.head}>
      <IconButton size="small" icon={ChevronLeft} label={words.back} onClick={onBack} />
      {isNaming ? (
        <NameField
          name={nameOfPath(file.path)}
          label={words.name}
          onName={rename}
          onDone={() => setNaming(false)}
        />
      ) : (
        <strong title={file.path}>{nameOfPath(file.path)}</strong>
      )}
      {onText !== undefined && (
        <IconButton
          size="small"
          icon={Braces}
          label={isText ? words.asForm : words.asText}
          pressed={isText}
          onClick={() => onText(!isText)}
        />
      )}
      {canEdit && (
        <>
          <IconButton size="small" icon={PencilLine} label={words.rename} onClick={() => setNaming(true)} />
          <IconButton size="small" icon={CopyPlus} label={words.duplicate} onClick={duplicate} />
          <IconButton size="small" icon={Trash2} label={words.remove} onClick={remove} />
        </>
      )}
      {mayRun && <IconButton size="small" icon={Play} label={words.run} onClick={() => void onRun()} />}
    </header>
  );
}

function AsText({ file, isBroken }: { readonly file: CaseFile; readonly isBroken: boolean }) {
  const { actions, canEdit } = useEditor();
  const buffer = useBuffered(file.text, (text) => writeText(actions, file, text));
  return (
    <>
      {isBroken && <Notice tone="warn">{words.unreadable}</Notice>}
      <TextArea
        isCode
        {...buffer}
        rows={24}
        aria-label={words.text}
        disabled={!canEdit}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  );
}
