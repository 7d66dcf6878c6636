import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { documentOfFiles, versionDraft } from '../document/version-draft.ts';
import { versionWords } from '../text/strings/versions.ts';
import { type OpenedEditor, openEditor } from './open-editor.ts';
import type { OpenedPipeline } from './open-pipeline.ts';

export type ShownState =
  | { readonly kind: 'loading' }
  /** `id`: another one for each editor, to begin anew with. */
  | { readonly kind: 'ready'; readonly editor: OpenedEditor; readonly id: string }
  | { readonly kind: 'failed'; readonly version: number; readonly error: unknown };

/**
 * The editor of what is shown: the draft, or a version. One is open at a time, since both have the same files in the
 * code editor; what was shown before stays until the next is here.
 */
export function useShownEditor(opened: OpenedPipeline, version: number | undefined): ShownState {
  const [state, setState] = useState<ShownState>({ kind: 'loading' });
  const current = useRef<() => void>(undefined);
  useEffect(() => {
    const aborting = new AbortController();
    const become = (next: () => { readonly state: ShownState; readonly close: () => void }): void => {
      if (aborting.signal.aborted) return;
      current.current?.();
      const { state: now, close } = next();
      current.current = close;
      setState(now);
    };
    if (version === undefined) become(() => ofDraft(opened));
    else
      call('versions.files', {
        params: { pipeline: opened.pipeline, version },
        signal: aborting.signal,
      }).then(
        ({ files }) => become(() => ofVersion(opened, version, files)),
        (error: unknown) =>
          become(() => ({ state: { kind: 'failed', version, error }, close: () => undefined })),
      );
    return () => aborting.abort();
  }, [opened, version]);
  useEffect(
    () => () => {
      current.current?.();
      current.current = undefined;
    },
    [],
  );
  return state;
}

function ofDraft({ pipeline, draft, canEdit, deployed }: OpenedPipeline) {
  const editor = openEditor({ pipeline, showing: { kind: 'draft' }, draft, canEdit, deployed });
  return { state: { kind: 'ready', editor, id: `${pipeline} draft` } as const, close: editor.close };
}

function ofVersion(
  { pipeline, deployed }: OpenedPipeline,
  number: number,
  files: Readonly<Record<string, string>>,
) {
  const draft = versionDraft(documentOfFiles(files), versionWords.banner.readOnly(number));
  const showing = { kind: 'version', number } as const;
  const editor = openEditor({ pipeline, showing, draft, canEdit: false, deployed });
  const close = (): void => {
    editor.close();
    draft.close();
  };
  return { state: { kind: 'ready', editor, id: `${pipeline} ${number}` } as const, close };
}
