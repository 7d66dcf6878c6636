import { Copy, Group, Trash2, Workflow } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useEditor, useEditorState } from '../editor-context.tsx';
import styles from './inspector.module.css';

export function SeveralInspector() {
  const { actions, canEdit } = useEditor();
  const nodes = useEditorState((state) => state.nodes.size);
  const notes = useEditorState((state) => state.notes.size);
  const what = [nodes > 0 && `${nodes} nodes`, notes > 0 && `${notes} notes`].filter(Boolean).join(', ');
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{what}</h2>
          <p>selected</p>
        </div>
      </header>
      {canEdit && (
        <section className={styles.part} aria-label="Selection">
          <div className={styles.row}>
            <Button size="small" icon={Workflow} onClick={actions.layOut}>
              Lay out
            </Button>
            <Button size="small" icon={Group} onClick={actions.group}>
              Group
            </Button>
            <Button size="small" icon={Copy} onClick={actions.duplicate}>
              Duplicate
            </Button>
            <Button size="small" look="danger" icon={Trash2} onClick={() => actions.deleteSelected()}>
              Delete
            </Button>
          </div>
        </section>
      )}
    </>
  );
}
