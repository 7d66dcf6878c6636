import { Copy, Trash2 } from 'lucide-react';
import { inspectorWords as words } from '../../text/strings/inspector.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor } from '../editor-context.tsx';

/** What can be done with whatever is selected. */
export function SelectionButtons() {
  const { actions } = useEditor();
  return (
    <>
      <Button size="small" icon={Copy} onClick={actions.duplicate}>
        {words.duplicate}
      </Button>
      <Button size="small" icon={Trash2} onClick={() => actions.deleteSelected()}>
        {words.delete}
      </Button>
    </>
  );
}
