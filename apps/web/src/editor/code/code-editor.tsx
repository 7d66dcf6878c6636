/** The code of one node or shared file, in Monaco. Everything it types is the draft's; so is undo. */
import type { editor, IPosition, IRange } from 'monaco-editor/editor';
import { type RefObject, useEffect, useRef } from 'react';
import type { SharedDraft } from '../../document/shared-draft.ts';
import styles from './code-editor.module.css';
import type { CodeProject } from './code-project.ts';
import type { Failure } from './failures.ts';
import { formatCode } from './format-code.ts';
import type { LogNote } from './log-notes.ts';
import type { CodePlace } from './open-code.ts';
import { openPaletteByKey } from './palette-key.ts';
import { showPeers } from './peer-cursors.ts';
import { failureDecorations } from './show-failures.ts';
import { addLogLinks, logDecorations } from './show-logs.ts';

type Monaco = typeof import('./monaco.ts');

export type ShownEditor = editor.IStandaloneCodeEditor;

export interface CodeEditorProps {
  readonly loaded: Monaco;
  readonly project: CodeProject;
  readonly draft: SharedDraft;
  /** The node or file. */
  readonly id: string;
  readonly canEdit: boolean;
  /** Where in it one wants to be. */
  readonly at: CodePlace | undefined;
  readonly failures: readonly Failure[];
  readonly logs: readonly LogNote[];
  /** Set while it is there. */
  readonly shown: RefObject<ShownEditor | undefined>;
  /** Somebody went to a definition in another node’s code. */
  readonly onOpen: (id: string, at?: CodePlace) => void;
  /** Somebody wants to see what a line logged. */
  readonly onLogs: (line: number) => void;
}

export function CodeEditor(props: CodeEditorProps) {
  const { loaded, project, draft, id, canEdit, at, failures, logs, shown, onOpen, onLogs } = props;
  const place = useRef<HTMLDivElement>(null);
  const open = useRef(onOpen);
  open.current = onOpen;
  const noted = useRef({ logs, onLogs });
  noted.current = { logs, onLogs };
  useEffect(() => {
    const element = place.current;
    const model = project.modelOf(id);
    if (element === null || model === undefined) return;
    const { monaco } = loaded;
    const instance = monaco.editor.create(element, { ...OPTIONS, model, readOnly: !canEdit });
    addOwnUndo(loaded, instance, draft);
    openPaletteByKey(instance);
    const stopPeers = showPeers({ monaco, instance, draft, code: id });
    const opener = monaco.editor.registerEditorOpener({
      openCodeEditor: (_source, resource, place) => {
        const target = monaco.editor.getModel(resource);
        const owner = target === null ? undefined : project.ownerOf(target);
        if (owner !== undefined) open.current(owner, placeOf(place));
        return owner !== undefined;
      },
    });
    const stopLinks = addLogLinks({
      instance,
      hasNote: (line) => noted.current.logs.some((note) => note.line === line),
      onOpen: (line) => noted.current.onLogs(line),
    });
    shown.current = instance;
    instance.focus();
    return () => {
      shown.current = undefined;
      stopPeers();
      stopLinks();
      opener.dispose();
      instance.dispose();
    };
  }, [loaded, project, draft, id, canEdit, shown]);
  useEffect(() => {
    if (at === undefined || shown.current === undefined) return;
    shown.current.setPosition({ lineNumber: at.line, column: at.column });
    shown.current.revealLineInCenterIfOutsideViewport(at.line);
    shown.current.focus();
  }, [at, shown]);
  useEffect(() => {
    const model = shown.current?.getModel();
    if (!model) return;
    const written = shown.current?.createDecorationsCollection(failureDecorations(failures, model));
    return () => written?.clear();
  }, [failures, shown]);
  useEffect(() => {
    const model = shown.current?.getModel();
    if (!model) return;
    const written = shown.current?.createDecorationsCollection(logDecorations(logs, model));
    return () => written?.clear();
  }, [logs, shown]);
  // React Flow takes Space for itself everywhere but here.
  return <div ref={place} className={`${styles.editor} nokey`} />;
}

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  // A textarea, which everything that listens to keys knows as a place to type.
  editContext: false,
  fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSize: 13,
  lineHeight: 20,
  fontLigatures: false,
  minimap: { enabled: false },
  // Brackets in the colours of the page, not in a rainbow of their own.
  bracketPairColorization: { enabled: false },
  scrollBeyondLastLine: false,
  smoothScrolling: true,
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: false,
  lineNumbersMinChars: 3,
  padding: { top: 12, bottom: 12 },
  overviewRulerLanes: 0,
  renderLineHighlight: 'line',
  fixedOverflowWidgets: true,
  stickyScroll: { enabled: false },
  unicodeHighlight: { ambiguousCharacters: false },
  theme: 'millrace',
};

/** mod+Z is the draft's history; mod+S formats, as one step. */
function addOwnUndo(loaded: Monaco, instance: editor.IStandaloneCodeEditor, draft: SharedDraft): void {
  const { KeyMod, KeyCode } = loaded.monaco;
  instance.addCommand(KeyMod.CtrlCmd | KeyCode.KeyZ, () => void draft.undo());
  instance.addCommand(KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.KeyZ, () => void draft.redo());
  instance.addCommand(KeyMod.CtrlCmd | KeyCode.KeyY, () => void draft.redo());
  instance.addCommand(
    KeyMod.CtrlCmd | KeyCode.KeyS,
    () => void formatCode(loaded, instance, draft).catch(() => undefined),
  );
}

function placeOf(place: IRange | IPosition | undefined): CodePlace | undefined {
  if (place === undefined) return undefined;
  return 'lineNumber' in place
    ? { line: place.lineNumber, column: place.column }
    : { line: place.startLineNumber, column: place.startColumn };
}
