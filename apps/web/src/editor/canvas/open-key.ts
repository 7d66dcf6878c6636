import { type EditorStore, select } from '../editor-store.ts';

/** Leads to the field in which a stream's key is written. */
export function openKey(store: EditorStore, stream: string): void {
  select(store, { streams: [stream] });
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-inspector] :is(input, textarea)')?.focus(),
  );
}
