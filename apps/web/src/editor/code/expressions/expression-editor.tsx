/** One expression in Monaco, as large as a field of a form and with the help that code has. */
import type { editor, IDisposable } from 'monaco-editor/editor';
import { useEffect, useRef } from 'react';
import type { ControlProps } from '../../../ui/field.tsx';
import { typedText } from '../../inspector/form/typed-text.ts';
import { openPaletteByKey } from '../palette-key.ts';
import styles from './expression-editor.module.css';
import { EXPRESSION, expressionSources } from './expression-language.ts';
import type { ExpressionFault } from './expression-place.ts';
import type { ExpressionHome } from './setting-home.ts';

type Monaco = typeof import('../monaco.ts');

export interface ExpressionEditorProps {
  readonly loaded: Monaco;
  /** Another one: another field. */
  readonly home: ExpressionHome;
  readonly given: string;
  readonly write: (text: string) => void;
  readonly control: Partial<ControlProps>;
  readonly label: string | undefined;
  readonly placeholder: string;
  /** Without it Enter begins a line. */
  readonly onEnter?: () => void;
  readonly onLeave?: () => void;
}

export function ExpressionEditor(props: ExpressionEditorProps) {
  const { loaded, home, given, control, label, placeholder } = props;
  const latest = useRef(props);
  latest.current = props;
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<Opened>(undefined);
  useEffect(() => {
    if (place.current === null) return;
    const opened = open({ loaded, home, element: place.current, latest: () => latest.current });
    field.current = opened;
    return () => {
      field.current = undefined;
      opened.close();
    };
  }, [loaded, home]);
  useEffect(() => field.current?.take(given), [given]);
  // Monaco makes the field; the form says what it is called and what is wrong with it.
  useEffect(() => {
    const input = place.current?.querySelector('textarea');
    if (!input) return;
    setOrRemove(input, 'id', control.id);
    setOrRemove(input, 'aria-describedby', control['aria-describedby']);
    setOrRemove(input, 'aria-invalid', control['aria-invalid'] && 'true');
    // The label of the form names it; Monaco’s own name would hide that.
    setOrRemove(input, 'aria-label', control.id === undefined ? label : undefined);
  });
  useEffect(() => field.current?.instance.updateOptions({ placeholder }), [placeholder]);
  return (
    <div ref={place} className={`${styles.field} nokey`} data-invalid={control['aria-invalid'] ?? false} />
  );
}

interface Opening extends Pick<ExpressionEditorProps, 'loaded' | 'home'> {
  readonly element: HTMLDivElement;
  readonly latest: () => ExpressionEditorProps;
}

interface Opened {
  readonly instance: editor.IStandaloneCodeEditor;
  /** What the draft says now. */
  readonly take: (given: string) => void;
  readonly close: () => void;
}

function open({ loaded, home, element, latest }: Opening): Opened {
  const { monaco } = loaded;
  const model = monaco.editor.createModel(latest().given, EXPRESSION);
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  const instance = monaco.editor.create(element, { ...OPTIONS, model, placeholder: latest().placeholder });
  let applying = false;
  const typing = typedText({
    when: 'as-typed',
    write: (text) => {
      if (text !== latest().given) latest().write(text);
    },
  });
  expressionSources.set(model, {
    place: () => {
      typing.settle();
      return home.place();
    },
  });
  const mark = (): void => {
    if (!model.isDisposed())
      monaco.editor.setModelMarkers(model, 'millrace', home.faults().map(marker(loaded, model)));
  };
  const grow = (): void => {
    element.style.height = `${Math.min(instance.getContentHeight(), MOST_HEIGHT) + BORDERS}px`;
    instance.layout();
  };
  const stops = [
    model.onDidChangeContent(() => {
      if (!applying) typing.typed(model.getValue());
    }),
    instance.onDidBlurEditorText(() => {
      typing.settle();
      latest().onLeave?.();
    }),
    instance.onDidContentSizeChange(grow),
    instance.onKeyDown((event) => {
      const { keyCode, shiftKey } = event;
      const isHistory = keyCode === monaco.KeyCode.KeyZ || keyCode === monaco.KeyCode.KeyY;
      const { history } = home;
      if (!(event.ctrlKey || event.metaKey) || !isHistory || history === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      typing.settle();
      if (keyCode === monaco.KeyCode.KeyY || shiftKey) history.redo();
      else history.undo();
    }),
    openPaletteByKey(instance),
    ...(latest().onEnter === undefined
      ? []
      : [
          takeEnter(loaded, instance, () => {
            typing.settle();
            latest().onEnter?.();
          }),
        ]),
    { dispose: home.subscribe(mark) },
  ];
  grow();
  mark();
  return {
    instance,
    take: (given) => {
      const now = model.getValue();
      // Nothing but space is not written, and no reason to take it away from who is typing.
      if (given === now || (given === '' && now.trim() === '') || typing.isWaiting()) return;
      applying = true;
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text: given }], () => null);
      applying = false;
    },
    close: () => {
      typing.settle();
      for (const stop of stops) stop.dispose();
      instance.dispose();
      model.dispose();
    },
  };
}

/** Without this it begins a line; an open list of completions takes it first. */
function takeEnter({ monaco }: Monaco, instance: editor.IStandaloneCodeEditor, run: () => void): IDisposable {
  const keybindings = [monaco.KeyCode.Enter];
  return instance.addAction({
    id: 'enter',
    label: '',
    keybindings,
    precondition: '!suggestWidgetVisible',
    run,
  });
}

const marker =
  ({ monaco }: Monaco, model: editor.ITextModel) =>
  ({ start, end, severity, message }: ExpressionFault): editor.IMarkerData => {
    const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
    return {
      severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
      message,
      startLineNumber: from.lineNumber,
      startColumn: from.column,
      endLineNumber: to.lineNumber,
      endColumn: to.column,
    };
  };

function setOrRemove(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

const MOST_HEIGHT = 8 * 16 + 10;
const BORDERS = 2;

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  editContext: false,
  fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSize: 12,
  lineHeight: 16,
  fontLigatures: false,
  padding: { top: 5, bottom: 5 },
  lineNumbers: 'off',
  glyphMargin: false,
  folding: false,
  lineDecorationsWidth: 8,
  lineNumbersMinChars: 0,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  renderLineHighlight: 'none',
  occurrencesHighlight: 'off',
  selectionHighlight: false,
  scrollBeyondLastLine: false,
  scrollBeyondLastColumn: 0,
  scrollbar: { horizontal: 'hidden', verticalScrollbarSize: 8, alwaysConsumeMouseWheel: false },
  wordWrap: 'on',
  wrappingIndent: 'none',
  bracketPairColorization: { enabled: false },
  guides: { indentation: false },
  contextmenu: false,
  links: false,
  tabSize: 2,
  // Tab goes to the next field, as in every form.
  tabFocusMode: true,
  wordBasedSuggestions: 'off',
  fixedOverflowWidgets: true,
  stickyScroll: { enabled: false },
  unicodeHighlight: { ambiguousCharacters: false },
  theme: 'millrace',
};
