import { useEffect, useRef } from 'react';
import { commonWords } from '../../text/strings/common.ts';
import { useEditor } from '../editor-context.tsx';
import styles from './name-field.module.css';

/** The name of a node while it is being typed. Enter and leaving keep it, Escape does not. */
export function NameField({ id, name }: { readonly id: string; readonly name: string }) {
  const { actions, store } = useEditor();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (isKept: boolean): void => {
    if (store.getState().renaming !== id) return;
    const next = field.current?.value.trim() ?? name;
    store.setState({ renaming: undefined });
    if (isKept && next !== '' && next !== name) actions.rename(id, next);
    document.querySelector<HTMLElement>('[data-canvas]')?.focus({ preventScroll: true });
  };
  return (
    <input
      ref={field}
      className={`${styles.field} nodrag nopan`}
      defaultValue={name}
      maxLength={200}
      aria-label={commonWords.name}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(true);
        if (event.key === 'Escape') end(false);
      }}
    />
  );
}
