/**
 * The TypeScript project of the open draft, in Monaco: a model per code node and shared file, bound to the shared
 * text, and one per generated file. After any change all of it is checked anew, so that a producer's new `Outputs`
 * shows in every consumer at once.
 */
import {
  type CheckResult,
  checkRequest,
  layoutProject,
  type Project,
  resultIssues,
  streamType,
  untypedIssues,
  writtenOperators,
} from '@millrace/compiler/layout';
import type { Issue, JsonPath, NodeTypes, PipelineFolder } from '@millrace/graph';
import type { editor } from 'monaco-editor/editor';
import { folderOf } from '../../document/folder-of.ts';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { codeWords } from '../../text/strings/code.ts';
import { toast } from '../../ui/toast-store.ts';
import { whenLate } from '../late.ts';
import {
  type ExpressionFault,
  type ExpressionPlace,
  expressionPlace,
  faultsWithin,
} from './expressions/expression-place.ts';
import { takeEdits } from './one-step-edits.ts';
import { projectEdits } from './project-edits.ts';
import { type RenamedOutput, renamedOutputs } from './renamed-outputs.ts';
import { bindText } from './text-binding.ts';

type Monaco = typeof import('./monaco.ts');

export interface CodeProjectOptions {
  readonly loaded: Monaco;
  readonly draft: SharedDraft;
  readonly types: NodeTypes;
  /** Undefined: it is being checked. */
  readonly found: (findings: CodeFindings | undefined) => void;
  /** A check takes its time, or is done. */
  readonly late: (isLate: boolean) => void;
}

export interface CodeFindings {
  readonly issues: readonly Issue[];
  /** What flows on a stream, by its id, in TypeScript's words. */
  readonly types: ReadonlyMap<string, string>;
  readonly renamed: readonly RenamedOutput[];
}

export interface CodeProject {
  /** Of a code node or shared file; undefined when it has no code any more. */
  readonly modelOf: (id: string) => editor.ITextModel | undefined;
  /** The node or file a model belongs to. */
  readonly ownerOf: (model: editor.ITextModel) => string | undefined;
  /** Where an expression of pipeline.json stands, and its text, as the draft is at this moment. */
  readonly expression: (setting: JsonPath) => (ExpressionPlace & { readonly text: string }) | undefined;
  /** What flows on these streams, in TypeScript's words as a file in a folder of the project reads them. */
  readonly typesOf: (streams: readonly string[]) => readonly string[];
  /** What the last check said of an expression. */
  readonly faultsOf: (setting: JsonPath) => readonly ExpressionFault[];
  /** Models came or went, or a check was done. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

interface Laid {
  readonly folder: PipelineFolder;
  readonly project: Project;
}

interface Held {
  readonly model: editor.ITextModel;
  readonly owner: string | undefined;
  readonly unbind: () => void;
}

const QUIET_MS = 150;

export function openCodeProject({
  loaded,
  draft,
  types,
  found,
  late: tellLate,
}: CodeProjectOptions): CodeProject {
  const { monaco, typeScript } = loaded;
  const { document } = draft;
  const held = new Map<string, Held>();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;
  let laid: Laid | undefined;
  let isBehind = true;
  let checked: (Laid & { readonly result: CheckResult }) | undefined;
  const late = whenLate(tellLate);
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };

  const hold = (path: string, text: string, owner: string | undefined): void => {
    const uri = monaco.Uri.parse(`file://${path}`);
    const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, 'typescript', uri);
    const shared = owner === undefined ? undefined : document.code(owner);
    if (shared === undefined) model.setEOL(monaco.editor.EndOfLineSequence.LF);
    const unbind =
      shared === undefined
        ? () => undefined
        : bindText({
            text: shared,
            model,
            typing: draft.typing,
            lf: monaco.editor.EndOfLineSequence.LF,
            asOneStep: draft.asOneStep,
            onTooLong: () => toast('error', codeWords.tooLong),
          });
    held.set(path, { model, owner, unbind });
  };
  const drop = (path: string): void => {
    const gone = held.get(path);
    gone?.unbind();
    gone?.model.dispose();
    held.delete(path);
  };

  /** Models follow the draft: made, renewed, disposed. */
  const follow = (): Laid => {
    const folder = folderOf(document);
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
    laid = { folder, project };
    isBehind = false;
    if ([...held.keys()].join() !== before) tell();
    return laid;
  };
  const latest = (): Laid => (isBehind || laid === undefined ? follow() : laid);

  const check = async (): Promise<void> => {
    const mine = ++round;
    late.begin();
    const { folder, project } = latest();
    const types = [...folder.pipeline.streams.values()].map(
      (stream) => [stream.id, streamType(project.typed, stream)] as const,
    );
    const worker = await typeScript(...[...held.values()].map(({ model }) => model.uri));
    const result = await worker.checkPipeline({ ...checkRequest(folder, project), types });
    if (mine !== round || result === undefined) return;
    const { inCode } = writtenOperators(folder, project, result);
    const marked = { ...result, diagnostics: [...result.diagnostics, ...inCode] };
    for (const [path, { model }] of held) if (!model.isDisposed()) mark(path, model, marked);
    const issues = [...untypedIssues(folder, project), ...resultIssues(folder, project, result)];
    late.end();
    checked = { folder, project, result };
    const renamed = renamedOutputs(folder.pipeline, result.ports);
    found({ issues, types: new Map(result.types), renamed });
    tell();
  };
  const mark = (path: string, model: editor.ITextModel, { diagnostics, ports }: CheckResult): void => {
    const own = diagnostics.filter((each) => each.path === path);
    const open = ports.filter((each) => each.kind === 'any-output' && path === `/${each.node}/node.ts`);
    monaco.editor.setModelMarkers(model, 'millrace', [
      ...own.map(({ start, length = 1, message, severity }) => ({
        severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
        message,
        ...rangeAt(model, start, length),
      })),
      ...open.flatMap((each) =>
        each.kind !== 'any-output'
          ? []
          : {
              severity: monaco.MarkerSeverity.Warning,
              message: codeWords.anyOutput(each.port),
              ...rangeAt(model, each.start, each.port.length),
            },
      ),
    ]);
  };
  const soon = (): void => {
    isBehind = true;
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
  const stopEdits = takeEdits(
    projectEdits({
      draft,
      latest: () => laid,
      placeOf: (model) => {
        const [path, one] = [...held].find(([, each]) => each.model === model) ?? [];
        return path === undefined ? undefined : { path, isShared: one?.owner !== undefined };
      },
    }),
  );
  soon();
  document.doc.on('update', soon);
  return {
    modelOf: (id) => [...held.values()].find(({ owner }) => owner === id)?.model,
    expression: (setting) => {
      const { project } = latest();
      const place = expressionPlace(project, setting);
      const text = place && project.files.get(place.path)?.text.slice(place.start, place.end);
      return place === undefined || text === undefined ? undefined : { ...place, text };
    },
    typesOf: (streams) => {
      const { folder, project } = latest();
      return streams.map((id) => {
        const stream = folder.pipeline.streams.get(id);
        return stream === undefined ? 'unknown' : streamType(project.typed, stream);
      });
    },
    faultsOf: (setting) => {
      const place = checked && expressionPlace(checked.project, setting);
      return checked === undefined || place === undefined
        ? []
        : faultsWithin(checked.project, place, checked.result.diagnostics);
    },
    ownerOf: (model) => [...held.values()].find((one) => one.model === model)?.owner,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      round++;
      late.end();
      clearTimeout(timer);
      document.doc.off('update', soon);
      stopEdits();
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

function rangeAt(model: editor.ITextModel, start: number, length: number) {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(start + length)];
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}
