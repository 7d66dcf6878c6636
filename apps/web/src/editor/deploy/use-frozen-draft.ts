/**
 * The draft as it was when the dialog was opened: what is looked at is what goes out. An edit that comes meanwhile is
 * told, and goes out only after it was looked at, too: the version is made of exactly this revision.
 */
import { toFolder } from '@millrace/document';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { type Loading, useLoad } from '../../api/use-load.ts';
import { useEditor } from '../editor-context.tsx';
import { graphOfFiles, type VersionGraph } from '../versions/compare/version-graph.ts';

export interface FrozenDraft {
  readonly revision: number;
  readonly graph: VersionGraph;
}

export interface Frozen {
  readonly state: Loading<FrozenDraft>;
  /** The draft is another by now. `by`: the account, where it is known. */
  readonly edited: { readonly by: string | undefined } | undefined;
  /** The server found that it is another. */
  readonly setEdited: () => void;
  readonly renew: () => void;
}

const QUIET_MS = 200;

export function useFrozenDraft(): Frozen {
  const { pipeline, draft } = useEditor();
  const [edited, setEdited] = useState<Frozen['edited']>();
  const load = useCallback(
    async (signal: AbortSignal): Promise<FrozenDraft> => {
      await draft.flush();
      const { revision, files } = await call('draft.get', { params: { pipeline }, signal });
      return { revision, graph: graphOfFiles(files) };
    },
    [pipeline, draft],
  );
  const state = useLoad(load);
  const frozen = state.kind === 'ready' ? state.value : undefined;
  useEffect(() => {
    if (frozen === undefined) return;
    const { document } = draft;
    const was = textOf(frozen.graph.folder.files);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (textOf(toFolder(document)) === was) return setEdited(undefined);
      setEdited((before) => before ?? { by: undefined });
      const now = await call('draft.get', { params: { pipeline } }).catch(() => undefined);
      if (now !== undefined) setEdited((before) => before && { by: now.updatedBy });
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), QUIET_MS);
    };
    document.doc.on('update', soon);
    return () => {
      clearTimeout(timer);
      document.doc.off('update', soon);
    };
  }, [pipeline, draft, frozen]);
  const { reload } = state;
  return {
    state,
    edited,
    setEdited: () => setEdited((before) => before ?? { by: undefined }),
    renew: () => {
      setEdited(undefined);
      reload();
    },
  };
}

const textOf = (files: ReadonlyMap<string, string>): string => JSON.stringify([...files].sort());
