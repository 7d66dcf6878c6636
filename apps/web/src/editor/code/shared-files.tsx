import { fileRole } from '@millrace/graph';
import { FileCode2, PencilLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { codeWords as words } from '../../text/strings/code.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useEditor, useReading } from '../editor-context.tsx';
import { codesOf } from './codes-of.ts';
import { renamedImports, usersOf } from './shared-code.ts';
import styles from './shared-files.module.css';

/** The files under lib/: opened, made, renamed with all their imports, deleted. */
export function SharedFiles() {
  const { draft, actions, code, canEdit } = useEditor();
  const { files } = useReading();
  const [asked, setAsked] = useState<string>();
  const shared = [...files.values()]
    .filter(({ path }) => fileRole(path) === 'lib')
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const codes = codesOf(draft.document);
  const add = (name: string): void => {
    if (isNameless(name)) return;
    const made = actions.run({ kind: 'add-file', path: pathOf(name), text: '' })?.made[0];
    if (made !== undefined) code.open(made);
  };
  const rename = (id: string, from: string, name: string): void => {
    const to = pathOf(name);
    if (to === from || isNameless(name)) return;
    draft.asOneStep((gesture) => {
      const imports = renamedImports(from, to, codes);
      if (actions.run({ kind: 'rename-file', file: id, path: to }, gesture) === undefined) return;
      for (const command of imports) actions.run(command, gesture);
    });
  };
  const remove = (id: string, path: string): void => {
    if (actions.run({ kind: 'delete-files', files: [id] })) toast('info', words.deleted(path));
  };
  return (
    <>
      {shared.length === 0 && asked === undefined && <p className={styles.about}>{words.sharedCodeAbout}</p>}
      <ul className={styles.files}>
        {shared.map(({ id, path }) =>
          asked === id ? (
            <li key={id}>
              <NameField
                isCode
                name={path}
                label={words.fileName}
                onName={(name) => rename(id, path, name)}
                onDone={() => setAsked(undefined)}
              />
            </li>
          ) : (
            <li key={id} className={styles.file}>
              <button
                type="button"
                className={styles.open}
                title={words.openFile(path)}
                onClick={() => code.open(id)}
              >
                <Icon of={FileCode2} />
                <span>
                  <code>{path}</code>
                  <small>{words.usedBy(usersOf(path, codes).map(({ name }) => name))}</small>
                </span>
              </button>
              {canEdit && (
                <>
                  <IconButton
                    size="small"
                    icon={PencilLine}
                    label={words.renameFile(path)}
                    onClick={() => setAsked(id)}
                  />
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={words.deleteFile(path)}
                    onClick={() => remove(id, path)}
                  />
                </>
              )}
            </li>
          ),
        )}
      </ul>
      {asked === NEW && (
        <NameField
          isCode
          name="lib/"
          label={words.fileName}
          onName={add}
          onDone={() => setAsked(undefined)}
        />
      )}
      {canEdit && asked !== NEW && (
        <span>
          <Button size="small" look="quiet" flush icon={Plus} onClick={() => setAsked(NEW)}>
            {words.newFile}
          </Button>
        </span>
      )}
    </>
  );
}

/** No id of a file is empty. */
const NEW = '';

/** `words` → `lib/words.ts`. */
function pathOf(name: string): string {
  const path = name.trim().replace(/^(#?lib\/)?/, 'lib/');
  return path.endsWith('.ts') ? path : `${path}.ts`;
}

const isNameless = (name: string): boolean => pathOf(name) === 'lib/.ts';
