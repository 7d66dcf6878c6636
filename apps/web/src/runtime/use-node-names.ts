/** How the nodes of a version that workers run are called. */
import { readFolder } from '@millrace/graph';
import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** Empty until it is known. */
export function useNodeNames(pipeline: string, version: number): ReadonlyMap<string, string> {
  const names = useLoad(
    useCallback(
      async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
        const { files } = await call('versions.files', { params: { pipeline, version }, signal });
        const folder = readFolder(new Map(Object.entries(files)));
        if (!folder.readable) return NONE;
        const nodes = [...folder.pipeline.nodes.values()].filter(({ type }) => !type.startsWith('sink/'));
        return new Map(nodes.map(({ id, name }) => [id, name]));
      },
      [pipeline, version],
    ),
  );
  return names.kind === 'ready' ? names.value : NONE;
}
