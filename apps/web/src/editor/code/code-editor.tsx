/** The code of one node or shared file, in Monaco. Everything it types is the draft's; so is undo. */
import type { editor } from 'monaco-editor/editor';
import { useEffect, useRef } from 'react';
import type { SharedDraft } from '../../document/shared-draft.ts';
import styles from './code-editor.module.css';
import type { CodeProject } from './code-project.ts';
import { showPeers } from './peer-cursors.ts';

type Monaco = typeof import('./monaco.ts');

export interface CodeEditorProps {
  readonly loaded: Monaco;
  readonly project: CodeProject;
  readonly draft: SharedDraft;
  /** The node or file. */
  readonly id: string;
  readonly canEdit: boolean;
  /** Somebody went to a definition in another node’s code. */
  readonly onOpen: (id: string) => void;
}

export function CodeEditor({ loaded, project, draft, id, canEdit, onOpen }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const open = useRef(onOpen);
  open.current = onOpen;
  useEffect(() => {
    const element = place.current;
    const model = project.modelOf(id);
    if (element === null || model === undefined) return;
    const { monaco } = loaded;
    const instance = monaco.editor.create(element, { ...OPTIONS, model, readOnly: !canEdit });
    addOwnUndo(loaded, instance, draft);
    const stopPeers = showPeers({ monaco, instance, draft, code: id });
    const opener = monaco.editor.registerEditorOpener({
      openCodeEditor: (_source, resource) => {
        const target = monaco.editor.getModel(resource);
        const owner = target === null ? undefined : project.ownerOf(target);
        if (owner !== undefined) open.current(owner);
        return owner !== undefined;
      },
    });
    instance.focus();
    return () => {
      stopPeers();
      opener.dispose();
      instance.dispose();
    };
  }, [loaded, project, draft, id, canEdit]);
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
function addOwnUndo({ monaco }: Monaco, instance: editor.IStandaloneCodeEditor, draft: SharedDraft): void {
  const { KeyMod, KeyCode } = monaco;
  instance.addCommand(KeyMod.CtrlCmd | KeyCode.KeyZ, () => void draft.undo());
  instance.addCommand(KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.KeyZ, () => void draft.redo());
  instance.addCommand(KeyMod.CtrlCmd | KeyCode.KeyY, () => void draft.redo());
  instance.addCommand(
    KeyMod.CtrlCmd | KeyCode.KeyS,
    () => void instance.getAction('editor.action.formatDocument')?.run(),
  );
}
