import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useStore } from 'zustand';
import { uiWords } from '../text/strings/ui.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { Spinner } from './spinner.tsx';
import { closeToast, type Toast, toastStore } from './toast-store.ts';
import styles from './toasts.module.css';

const ICONS = { ok: CircleCheck, error: CircleAlert, info: Info };

export function Toasts() {
  const toasts = useStore(toastStore, (state) => state.toasts);
  return (
    <section className={styles.toasts} aria-label={uiWords.messages} aria-live="polite">
      {toasts.map((each) => (
        <ToastCard key={each.id} toast={each} />
      ))}
    </section>
  );
}

function ToastCard({ toast: { id, tone, text, action } }: { readonly toast: Toast }) {
  return (
    <div className={classNames(styles.toast, styles[tone])}>
      {tone === 'busy' ? <Spinner /> : <Icon of={ICONS[tone]} />}
      <p className={styles.text}>{text}</p>
      {action && (
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            action.run();
            closeToast(id);
          }}
        >
          {action.label}
        </Button>
      )}
      {tone !== 'busy' && (
        <IconButton icon={X} label={uiWords.closeTheMessage} size="small" onClick={() => closeToast(id)} />
      )}
    </div>
  );
}
