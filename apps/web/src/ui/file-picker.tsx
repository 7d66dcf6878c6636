import type { LucideIcon } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { formatBytes } from '../text/format-number.ts';
import { commonWords } from '../text/strings/common.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './file-picker.module.css';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';

export interface FilePickerProps {
  readonly accept?: string;
  readonly icon: LucideIcon;
  readonly file: File | undefined;
  readonly busy: boolean;
  /** Given while it takes long enough that one may want to leave it. */
  readonly onCancel?: (() => void) | undefined;
  readonly onPick: (file: File) => void;
  readonly children: ReactNode;
}

/** A place to drop one file, and a button to choose it. */
export function FilePicker({ accept, icon, file, busy, onCancel, onPick, children }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onPick(dropped);
  };
  return (
    <>
      <button
        type="button"
        className={classNames(styles.place, isOver && styles.over)}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {busy ? <Spinner /> : <Icon of={icon} />}
        {file ? `${file.name} · ${formatBytes(file.size)}` : children}
      </button>
      {onCancel && (
        <div>
          <Button size="small" onClick={onCancel}>
            {commonWords.cancel}
          </Button>
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) onPick(chosen);
          event.target.value = '';
        }}
      />
    </>
  );
}
