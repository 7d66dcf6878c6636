import { Plus } from 'lucide-react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useEditor } from '../editor-context.tsx';
import type { CanvasView } from './canvas-view.ts';
import styles from './empty-canvas.module.css';
import { openQuickAdd } from './use-canvas-keys.ts';

/** An empty pipeline teaches with one sentence and one action. */
export function EmptyCanvas({ view }: { readonly view: CanvasView }) {
  const editor = useEditor();
  return (
    <div className={styles.empty}>
      <Mark size={48} />
      <h2>{words.nothingFlows}</h2>
      <p>{words.nothingFlowsAbout}</p>
      {editor.canEdit && (
        <Button look="primary" icon={Plus} onClick={() => openQuickAdd(editor, view)}>
          {words.addFirstNode}
        </Button>
      )}
    </div>
  );
}
