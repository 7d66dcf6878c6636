import { Check, CircleAlert, CloudUpload, Lock } from 'lucide-react';
import { Icon } from '../ui/icon.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useDraftState } from './editor-context.tsx';
import styles from './save-words.module.css';

/** Whether the draft is kept: saved, saving, or why not. */
export function SaveWords() {
  const { save } = useDraftState();
  const [icon, text] = {
    saved: [Check, 'Saved'] as const,
    saving: [CloudUpload, 'Saving…'] as const,
    unsaved: [CircleAlert, 'Not saved'] as const,
    'read-only': [Lock, 'Read only'] as const,
  }[save.kind];
  const words = (
    <span
      className={styles.words}
      data-kind={save.kind}
      role="status"
      tabIndex={'reason' in save ? 0 : undefined}
    >
      <Icon of={icon} size={14} />
      {text}
    </span>
  );
  return 'reason' in save ? <Tooltip text={save.reason}>{words}</Tooltip> : words;
}
