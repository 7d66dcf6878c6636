/** Keeps the failures of the code that is shown: asked for now and then while it is. */
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { type DeadLetterGroup, type Failure, failuresIn, groupsIn } from './failures.ts';

const EVERY_MS = 10_000;
const NONE: readonly Failure[] = [];

export interface FailuresOptions {
  readonly pipeline: string;
  readonly draft: SharedDraft;
  /** Node or file whose code is shown, and its path in a folder. */
  readonly id: string;
  readonly path: string;
  /** Only who may see data may see what an error says. */
  readonly maySee: boolean;
}

export function useFailures({ pipeline, draft, id, path, maySee }: FailuresOptions): readonly Failure[] {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    const text = draft.document.code(id);
    setFound(NONE);
    if (!maySee || text === undefined) return;
    const aborting = new AbortController();
    const versions = new Map<number, string | undefined>();
    const texts = new Map<DeadLetterGroup, string | undefined>();
    let groups: readonly DeadLetterGroup[] = [];
    const show = (): void => setFound(failuresIn(groups, text.toString(), (group) => texts.get(group)));
    const ask = async (): Promise<void> => {
      const { signal } = aborting;
      const { items } = await call('dead-letters.groups', { params: { pipeline }, signal });
      groups = groupsIn(items, path);
      texts.clear();
      for (const group of groups) {
        const { version } = await call('dead-letters.get', {
          params: { pipeline, number: group.newest },
          signal,
        });
        if (!versions.has(version)) {
          const { files } = await call('versions.files', { params: { pipeline, version }, signal });
          versions.set(version, files[path]);
        }
        texts.set(group, versions.get(version));
      }
      show();
    };
    const askQuietly = (): void => void ask().catch(() => undefined);
    askQuietly();
    const timer = setInterval(askQuietly, EVERY_MS);
    text.observe(show);
    return () => {
      aborting.abort();
      clearInterval(timer);
      text.unobserve(show);
    };
  }, [pipeline, draft, id, path, maySee]);
  return found;
}
