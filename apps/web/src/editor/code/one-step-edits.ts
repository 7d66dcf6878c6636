/**
 * Edits that go through several files at once, such as a rename: one step to undo, the shared texts among them and the
 * settings that generated files are made of. Takes the place of Monaco's own service for them, once for all editors.
 */
import type { editor, IRange, Uri } from 'monaco-editor/editor';

export interface FileEdit {
  readonly resource: Uri;
  readonly textEdit: { readonly range: IRange; readonly text: string };
}

/** Of the pipeline that is open. */
export interface EditsTaker {
  /** Why not, where it cannot be done. */
  readonly take: (
    edits: ReadonlyMap<editor.ITextModel, readonly FileEdit['textEdit'][]>,
  ) => string | undefined;
}

let taker: EditsTaker | undefined;

/** Hands back what ends it. */
export function takeEdits(next: EditsTaker): () => void {
  taker = next;
  return () => {
    if (taker === next) taker = undefined;
  };
}

type Given = readonly FileEdit[] | { readonly edits: readonly FileEdit[] };

export const oneStepEdits = (modelOf: (uri: Uri) => editor.ITextModel | null) => ({
  hasPreviewHandler: () => false,
  setPreviewHandler: () => ({ dispose: () => undefined }),
  apply: async (given: Given): Promise<{ ariaSummary: string; isApplied: boolean }> => {
    const byModel = new Map<editor.ITextModel, FileEdit['textEdit'][]>();
    for (const { resource, textEdit } of 'edits' in given ? given.edits : given) {
      const model = modelOf(resource);
      if (model === null) throw new Error(resource.path);
      byModel.set(model, [...(byModel.get(model) ?? []), textEdit]);
    }
    const refusal = taker?.take(byModel);
    if (refusal !== undefined) throw new Error(refusal);
    return { ariaSummary: '', isApplied: byModel.size > 0 };
  },
});
