import { Group, Workflow } from 'lucide-react';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import styles from './inspector.module.css';
import { SelectionButtons } from './selection-buttons.tsx';

export function SeveralInspector() {
  const { actions, canEdit } = useEditor();
  const nodes = useEditorState((state) => state.nodes.size);
  const notes = useEditorState((state) => state.notes.size);
  const what = [nodes > 0 && words.severalNodes(nodes), notes > 0 && words.severalNotes(notes)]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{what}</h2>
          <p>{words.selected}</p>
        </div>
      </header>
      {canEdit && (
        <section className={styles.part} aria-label={words.selection}>
          <div className={styles.row}>
            <Button size="small" icon={Workflow} onClick={actions.layOut}>
              {words.layOut}
            </Button>
            <Button size="small" icon={Group} onClick={actions.group}>
              {words.group}
            </Button>
            <SelectionButtons />
          </div>
        </section>
      )}
    </>
  );
}
