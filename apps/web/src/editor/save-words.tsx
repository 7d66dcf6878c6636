import { Check, CircleAlert, CloudUpload, Lock } from 'lucide-react';
import { editorWords } from '../text/strings/editor.ts';
import { Icon } from '../ui/icon.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useDraftState } from './editor-context.tsx';
import styles from './save-words.module.css';

const ICONS = { saved: Check, saving: CloudUpload, unsaved: CircleAlert, 'read-only': Lock };

/** Whether the draft is kept: saved, saving, or why not. */
export function SaveWords() {
  const { save } = useDraftState();
  const words = (
    <span
      className={styles.words}
      data-kind={save.kind}
      role="status"
      tabIndex={'reason' in save ? 0 : undefined}
    >
      <Icon of={ICONS[save.kind]} size={14} />
      {editorWords.save[save.kind]}
    </span>
  );
  return 'reason' in save ? <Tooltip text={save.reason}>{words}</Tooltip> : words;
}
