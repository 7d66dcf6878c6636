import { Command } from 'cmdk';
import { type LucideIcon, Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { uiWords } from '../text/strings/ui.ts';
import styles from './command-list.module.css';
import dialog from './dialog.module.css';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import { matchEntry } from './match-entry.ts';

export interface CommandEntry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly icon?: LucideIcon | undefined;
  readonly keys?: string | undefined;
  readonly words?: readonly string[] | undefined;
  readonly run: () => void;
}

export interface CommandListProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly entries: readonly CommandEntry[];
  /** It is there: hands over what was typed on its way. */
  readonly typed?: () => string;
}

/** The first keyword is the title: the value, an id, is not what people type. */
const fits = (_: string, typed: string, [title = '', ...words]: string[] = []): number =>
  matchEntry({ title, words }, typed);

/** A field and, under it, what fits what is typed; Enter does the first. */
export function CommandList({ open, onClose, entries, typed }: CommandListProps) {
  const [query, setQuery] = useState('');
  // Not while it is drawn: that may happen more than once.
  useEffect(() => {
    if (typed) setQuery(typed());
  }, [typed]);
  const groups = Map.groupBy(entries, ({ group }) => group);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={dialog.scrim} />
        <Dialog.Content className={styles.frame} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">{uiWords.commands}</Dialog.Title>
          <Command label={uiWords.commands} loop filter={fits}>
            <div className={styles.field}>
              <Icon of={Search} />
              <Command.Input
                className={styles.input}
                placeholder={uiWords.doSomethingGoSomewhere}
                value={query}
                onValueChange={setQuery}
              />
              <Kbd keys="esc" />
            </div>
            <Command.List className={styles.list}>
              <Command.Empty className={styles.empty}>{uiWords.nothingHasThatName}</Command.Empty>
              {[...groups].map(([group, members]) => (
                <Command.Group key={group} heading={group} className={styles.group}>
                  {members.map(({ id, title, icon, keys, words, run }) => (
                    <Command.Item
                      key={id}
                      value={id}
                      keywords={[title, group, ...(words ?? [])]}
                      className={styles.item}
                      onSelect={() => {
                        onClose();
                        run();
                      }}
                    >
                      <span className={styles.icon}>{icon && <Icon of={icon} />}</span>
                      <span className={styles.title}>{title}</span>
                      {keys && <Kbd keys={keys} />}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
