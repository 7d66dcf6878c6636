import type { ReactNode } from 'react';
import { commonWords } from '../text/strings/common.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

export interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and what cannot be taken back. */
  readonly children: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  readonly isDanger?: boolean;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly onConfirm: () => void;
}

export const Confirm = ({
  open,
  onClose,
  title,
  children,
  verb,
  isDanger = false,
  busy,
  error,
  onConfirm,
}: ConfirmProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={title}
    width="narrow"
    actions={
      <>
        <Button onClick={onClose}>{commonWords.cancel}</Button>
        <Button look={isDanger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {verb}
        </Button>
      </>
    }
  >
    <div>{children}</div>
    {error && <Notice tone="error">{error}</Notice>}
  </Dialog>
);
