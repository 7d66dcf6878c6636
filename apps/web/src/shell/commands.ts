/**
 * Every action by name: what the command palette lists, what shortcuts start, what the shortcuts sheet shows.
 * A view puts its commands in as long as it is there.
 */
import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isTyping, matchesKeys } from './match-keys.ts';

export interface Command {
  readonly id: string;
  /** A verb and what it is done to. */
  readonly title: string;
  /** Heading in the palette and the sheet: Go to, Canvas, Pipeline, … */
  readonly group: string;
  /** `mod+k`, `shift+/`, `c`. */
  readonly keys?: string;
  /** The keys act only where the view says (a focused canvas): the view listens by itself. */
  readonly isLocal?: boolean;
  /** Gives it other keys, or without any its usual ones; answers with what has them already, if they are taken. */
  readonly rekey?: (keys: string | undefined) => string | undefined;
  readonly icon?: LucideIcon;
  /** Other words people look for. */
  readonly words?: readonly string[];
  readonly run: () => void;
}

interface Commands {
  readonly sets: ReadonlyMap<string, readonly Command[]>;
}

export const commandStore = createStore<Commands>(() => ({ sets: new Map() }));

/** `name` is of the view. Keep `commands` with `useMemo`. */
export function useCommands(name: string, commands: readonly Command[]): void {
  useEffect(() => {
    commandStore.setState(({ sets }) => ({ sets: new Map(sets).set(name, commands) }));
    return () =>
      commandStore.setState(({ sets }) => {
        const left = new Map(sets);
        if (left.get(name) === commands) left.delete(name);
        return { sets: left };
      });
  }, [name, commands]);
}

export const useAllCommands = (): readonly Command[] =>
  [...useStore(commandStore, (state) => state.sets).values()].flat();

/** Starts the command of the keys pressed. Keys without mod do nothing while somebody types. */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    for (const command of [...commandStore.getState().sets.values()].flat()) {
      if (!command.keys || command.isLocal || !matchesKeys(event, command.keys)) continue;
      if (!command.keys.includes('mod') && isTyping(event.target)) continue;
      event.preventDefault();
      command.run();
      return;
    }
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
