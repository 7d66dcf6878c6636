import type { Note } from '@millrace/document';
import { StickyNote, Trash2 } from 'lucide-react';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { useEditor } from '../editor-context.tsx';
import { useBuffered } from './form/use-buffered.ts';
import styles from './inspector.module.css';

export function NoteInspector({ id, note }: { readonly id: string; readonly note: Note }) {
  const { actions, canEdit } = useEditor();
  const buffer = useBuffered(note.text, (text) => actions.run({ kind: 'edit-note', note: id, text }));
  return (
    <>
      <header className={styles.head}>
        <Icon of={StickyNote} />
        <div className={styles.title}>
          <h2>{words.note}</h2>
        </div>
        {canEdit && (
          <IconButton
            size="small"
            icon={Trash2}
            label={words.delete}
            shortcut="delete"
            onClick={() => actions.deleteSelected()}
          />
        )}
      </header>
      <section className={styles.part} data-inspector>
        <Field label={words.text}>
          {(control) => <TextArea {...control} {...buffer} rows={8} maxLength={20_000} disabled={!canEdit} />}
        </Field>
      </section>
    </>
  );
}
