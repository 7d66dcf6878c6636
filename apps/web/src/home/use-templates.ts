import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { matchingTemplates, type Template } from './template-groups.ts';
import type { Asked } from './use-asked.ts';

/** Nothing else waits for them: they are none until they are there. */
export function useTemplates(asked: Pick<Asked, 'q' | 'tag'>): readonly Template[] {
  const listed = useLoad(useCallback((signal) => call('samples.list', { signal }), []));
  return listed.kind === 'ready' ? matchingTemplates(listed.value.items, asked) : [];
}
