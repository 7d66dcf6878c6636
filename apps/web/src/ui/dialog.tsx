import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { uiWords } from '../text/strings/ui.ts';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly width?: 'narrow' | 'medium' | 'wide' | 'widest';
  readonly children: ReactNode;
  /** Buttons, the main one last. */
  readonly actions?: ReactNode;
}

export function Dialog({ open, onClose, title, about, width = 'medium', children, actions }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          className={classNames(styles.dialog, styles[width])}
          onOpenAutoFocus={focusDialog}
          {...(about ? {} : { 'aria-describedby': undefined })}
        >
          <header className={styles.head}>
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {about && <Radix.Description className={styles.about}>{about}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label={uiWords.close} size="small" />
            </Radix.Close>
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Not the button that closes it: its tooltip would take the first Escape. A field with `autoFocus` has it already. */
function focusDialog(event: Event): void {
  event.preventDefault();
  if (event.target instanceof HTMLElement) event.target.focus();
}
