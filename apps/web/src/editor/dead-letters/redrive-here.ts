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

/** What redriving does now, or why it cannot be done. */
export function useRedrive(): { readonly about: string } | { readonly not: string } {
  const { deployed } = useEditor();
  const deployment = useStore(deployed.store, (state) => state.deployment);
  const may = useMay('data.write');
  if (!may) return { not: words.mayNotWrite };
  if (deployment === undefined) return { about: words.redriveAbout };
  const state = deployment === null ? 'undeployed' : deployment.observed.state;
  switch (state) {
    // A paused one reads nothing, but finishes what it is given.
    case 'running':
    case 'paused':
    case 'redriving':
      return { about: words.redriveAbout };
    case 'stopped':
    case 'ended':
      return { about: words.redriveAtRest[state] };
    default:
      return { not: words.notNow[state] };
  }
}
