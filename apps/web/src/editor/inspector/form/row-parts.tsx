import { Plus } from 'lucide-react';
import { inspectorWords as words } from '../../../text/strings/inspector.ts';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './controls.module.css';
import { useBuffered } from './use-buffered.ts';

export interface NameInputProps {
  readonly name: string;
  readonly label: string;
  readonly onRename: (next: string) => void;
  readonly disabled: boolean | undefined;
}

/** The name of a row, such as a column's. */
export function NameInput({ name, label, onRename, disabled }: NameInputProps) {
  const buffer = useBuffered(name, (text) => onRename(text.trim()), 'at-end');
  return (
    <TextInput {...buffer} size="small" isCode aria-label={label} disabled={disabled} autoComplete="off" />
  );
}

export const AddButton = ({ onAdd, disabled }: { onAdd: () => void; disabled: boolean | undefined }) => (
  <span className={styles.add}>
    <Button size="small" look="quiet" flush icon={Plus} onClick={onAdd} disabled={disabled}>
      {words.add}
    </Button>
  </span>
);
