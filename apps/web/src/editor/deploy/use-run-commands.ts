/** Deploying, the versions and what one may ask of what runs, in the command palette. */
import { History, Rocket } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../shell/commands.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import type { Deployment } from './deployed-store.ts';
import { useRunWishes } from './use-run-wishes.ts';
import { lookOfWish } from './wish-looks.ts';

const { controls: words } = deployWords;

export interface RunCommandsOptions {
  readonly onRollback: (version: number) => void;
  readonly openVersions: () => void;
  /** Undefined: one may not. */
  readonly deploy: (() => void) | undefined;
}

export function useRunCommands(deployment: Deployment | null | undefined, options: RunCommandsOptions): void {
  const { onRollback, deploy } = options;
  const { wishes, previous, act } = useRunWishes(deployment, { onRollback });
  const latest = useRef({ ...options, act });
  latest.current = { ...options, act };
  const asked = wishes.join();
  const canDeploy = deploy !== undefined && deployment !== undefined;
  useCommands(
    'run',
    // biome-ignore lint/correctness/useExhaustiveDependencies: the wishes by their names
    useMemo((): readonly Command[] => {
      const { group } = words;
      return [
        ...(canDeploy
          ? [
              {
                ...{ id: 'run.deploy', group, icon: Rocket, title: words.deployDraft },
                run: () => latest.current.deploy?.(),
              },
            ]
          : []),
        {
          ...{ id: 'run.versions', group, icon: History, title: words.compareVersions },
          run: () => latest.current.openVersions(),
        },
        ...wishes.map((wish) => {
          const { icon, text, about } = lookOfWish(wish, previous);
          const title = wish === 'rollback' ? text : words.command[wish];
          return {
            ...{ id: `run.${wish}`, group, icon, title, words: [about] },
            run: () => latest.current.act(wish),
          };
        }),
      ];
    }, [asked, previous, canDeploy]),
  );
}
