/** What redriving says: why not now, and what it came to. */
import { useStore } from 'zustand';
import { useMay } from '../../shell/session-store.ts';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { toast } from '../../ui/toast-store.ts';
import { useEditor } from '../editor-context.tsx';
import type { RedrivenGroup } from './redrive-group.ts';

/** In one line of a toast. */
export function tellRedriven({ redriven, refused, reason }: RedrivenGroup): void {
  if (redriven > 0 || refused === 0) toast('ok', words.redriven(redriven));
  if (refused > 0) toast('error', words.refused(refused, reason));
}

/** Why nothing can be redriven now; undefined: it can. */
export function useNoRedrive(): string | undefined {
  const { deployed } = useEditor();
  const deployment = useStore(deployed.store, (state) => state.deployment);
  const may = useMay('data.write');
  if (!may) return words.mayNotWrite;
  if (deployment === undefined) return undefined;
  const state = deployment === null ? 'undeployed' : deployment.observed.state;
  // A paused one reads nothing, but finishes what it is given.
  return state === 'running' || state === 'paused' ? undefined : words.notNow[state];
}
