import { useEffect } from 'react';
import { shellWords } from '../text/strings/shell.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useAllCommands } from './commands.ts';
import { arrived } from './overlay-store.ts';
import { OwnKeys } from './own-keys.tsx';
import styles from './shortcuts-sheet.module.css';

/** All keys that do something here, by group. */
export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => void arrived(), []);
  const groups = Map.groupBy(
    useAllCommands().filter(({ keys }) => keys),
    ({ group }) => group,
  );
  return (
    <Dialog open onClose={onClose} title={shellWords.shortcuts} width="wide">
      <div className={styles.groups}>
        {[...groups].map(([group, commands]) => (
          <section key={group} aria-label={group}>
            <h3 className={styles.heading}>{group}</h3>
            <dl>
              {commands.map(({ id, title, keys, rekey }) => (
                <div key={id} className={styles.row}>
                  <dt>{title}</dt>
                  <dd>
                    {rekey ? (
                      <OwnKeys title={title} keys={keys ?? ''} rekey={rekey} />
                    ) : (
                      <Kbd keys={keys ?? ''} />
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
