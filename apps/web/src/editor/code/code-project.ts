/**
 * The TypeScript project of the open draft, in Monaco: a model per code node and shared file, bound to the shared
 * text, and one per generated file. After any change all of it is checked anew, so that a producer's new `Outputs`
 * shows in every consumer at once.
 */
import {
  checkTargets,
  diagnosticIssue,
  layoutProject,
  withoutEchoes,
  withRemedy,
} from '@millrace/compiler/layout';
import { toFolder } from '@millrace/document';
import { type Issue, type NodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import type { editor } from 'monaco-editor/editor';
import type { SharedDraft } from '../../document/shared-draft.ts';
import type { Diagnostic, MessageChain } from './monaco.ts';
import { bindText } from './text-binding.ts';

type Monaco = typeof import('./monaco.ts');

export interface CodeProjectOptions {
  readonly loaded: Monaco;
  readonly draft: SharedDraft;
  readonly types: NodeTypes;
  /** Undefined: it is being checked. */
  readonly found: (issues: readonly Issue[] | undefined) => void;
}

export interface CodeProject {
  /** Of a code node or shared file; undefined when it has no code any more. */
  readonly modelOf: (id: string) => editor.ITextModel | undefined;
  /** The node or file a model belongs to. */
  readonly ownerOf: (model: editor.ITextModel) => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

interface Held {
  readonly model: editor.ITextModel;
  readonly owner: string | undefined;
  readonly unbind: () => void;
}

const QUIET_MS = 150;

export function openCodeProject({ loaded, draft, types, found }: CodeProjectOptions): CodeProject {
  const { monaco, typeScript } = loaded;
  const { document } = draft;
  const held = new Map<string, Held>();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;

  const hold = (path: string, text: string, owner: string | undefined): void => {
    const uri = monaco.Uri.parse(`file://${path}`);
    const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, 'typescript', uri);
    const shared = owner === undefined ? undefined : document.code(owner);
    if (shared === undefined) model.setEOL(monaco.editor.EndOfLineSequence.LF);
    const unbind =
      shared === undefined
        ? () => undefined
        : bindText({ text: shared, model, typing: draft.typing, lf: monaco.editor.EndOfLineSequence.LF });
    held.set(path, { model, owner, unbind });
  };
  const drop = (path: string): void => {
    const gone = held.get(path);
    gone?.unbind();
    gone?.model.dispose();
    held.delete(path);
  };

  /** Models follow the draft: made, renewed, disposed. */
  const follow = (): {
    readonly folder: PipelineFolder;
    readonly project: ReturnType<typeof layoutProject>;
  } => {
    const folder = readFolder(toFolder(document));
    const project = layoutProject(folder, types);
    const owners = ownersOf(draft);
    const before = [...held.keys()].join();
    for (const path of [...held.keys()]) if (!project.files.has(path)) drop(path);
    for (const [path, file] of project.files) {
      if (path === '/globals.d.ts' || path === '/prelude.d.ts') continue;
      const owner = owners.get(path);
      const now = held.get(path);
      if (now !== undefined && now.owner !== owner) drop(path);
      const kept = held.get(path);
      if (kept === undefined) hold(path, file.text, owner);
      else if (owner === undefined && kept.model.getValue() !== file.text) kept.model.setValue(file.text);
    }
    if ([...held.keys()].join() !== before) for (const listener of [...listeners]) listener();
    return { folder, project };
  };

  const check = async (): Promise<void> => {
    const mine = ++round;
    const { folder, project } = follow();
    const targets = checkTargets(folder.pipeline, project);
    const uris = [...held.values()].map(({ model }) => model.uri);
    const worker = await typeScript(...uris);
    const issues: Issue[] = [];
    for (const target of targets) {
      const model = held.get(target.path)?.model;
      if (model === undefined || model.isDisposed()) continue;
      const file = model.uri.toString();
      const all = await Promise.all([
        worker.getSyntacticDiagnostics(file),
        worker.getSemanticDiagnostics(file),
      ]);
      if (mine !== round) return;
      const errors = all.flat().filter(({ category }) => category === 1);
      mark(model, errors);
      for (const error of errors) {
        const raw = { path: target.path, start: error.start ?? 0, code: `ts${error.code}` };
        issues.push(diagnosticIssue(folder, project, { ...raw, severity: 'error', message: wordsOf(error) }));
      }
    }
    found(withoutEchoes(issues));
  };
  const mark = (model: editor.ITextModel, errors: readonly Diagnostic[]): void => {
    const markers = errors.map((error) => {
      const from = model.getPositionAt(error.start ?? 0);
      const to = model.getPositionAt((error.start ?? 0) + (error.length ?? 1));
      return {
        severity: monaco.MarkerSeverity.Error,
        message: wordsOf(error),
        startLineNumber: from.lineNumber,
        startColumn: from.column,
        endLineNumber: to.lineNumber,
        endColumn: to.column,
      };
    });
    monaco.editor.setModelMarkers(model, 'millrace', markers);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      check().catch(() => {
        // A worker that was started again: what is wrong is found by the next round.
        timer = setTimeout(() => void check().catch(() => undefined), 1_000);
      });
    }, QUIET_MS);
  };

  found(undefined);
  follow();
  soon();
  document.doc.on('update', soon);
  return {
    modelOf: (id) => [...held.values()].find(({ owner }) => owner === id)?.model,
    ownerOf: (model) => [...held.values()].find((one) => one.model === model)?.owner,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      round++;
      clearTimeout(timer);
      document.doc.off('update', soon);
      listeners.clear();
      for (const path of [...held.keys()]) drop(path);
    },
  };
}

/** Path in the project to the node or file whose shared text it is. */
function ownersOf({ document }: SharedDraft): ReadonlyMap<string, string> {
  const { pipeline, files } = document.read();
  const owners = new Map<string, string>();
  for (const { id, type } of pipeline.nodes.values()) if (type === 'code') owners.set(`/${id}/node.ts`, id);
  for (const { id, path } of files.values()) if (path.startsWith('lib/')) owners.set(`/${path}`, id);
  return owners;
}

const wordsOf = ({ code, messageText }: Diagnostic): string => withRemedy(code, flat(messageText));

/** As TypeScript's own flattening does it. */
function flat(message: string | MessageChain, depth = 0): string {
  if (typeof message === 'string') return message;
  const own = depth === 0 ? message.messageText : `\n${'  '.repeat(depth)}${message.messageText}`;
  return own + (message.next ?? []).map((next) => flat(next, depth + 1)).join('');
}
