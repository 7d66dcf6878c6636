/** Where others are in this code, and telling them where this page is. Places in a text survive its changes. */
import type { editor } from 'monaco-editor/editor';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { offsetOf, placeIn } from '../../document/text-places.ts';
import { hueOf } from '../../ui/avatar.tsx';
import styles from './peer-cursors.module.css';

type Monaco = typeof import('./monaco.ts')['monaco'];

export interface PeerCursorsOptions {
  readonly monaco: Monaco;
  readonly instance: editor.IStandaloneCodeEditor;
  readonly draft: SharedDraft;
  readonly code: string;
}

export function showPeers({ monaco, instance, draft, code }: PeerCursorsOptions): () => void {
  const { presence, document } = draft;
  const decorations = instance.createDecorationsCollection();
  const tell = (): void => {
    const selection = instance.getSelection();
    const model = instance.getModel();
    if (selection === null || model === null) return;
    const anchor = placeIn(document, code, model.getOffsetAt(selection.getSelectionStart()));
    const head = placeIn(document, code, model.getOffsetAt(selection.getPosition()));
    presence.show({ code, range: anchor === undefined || head === undefined ? undefined : [anchor, head] });
  };
  const paint = (): void => {
    const model = instance.getModel();
    if (model === null) return;
    decorations.set(
      presence.peers().flatMap(({ name, state }) => {
        if (state.code !== code || state.range === undefined) return [];
        const [from, to] = state.range.map((place) => offsetOf(document, place));
        if (from === undefined || to === undefined) return [];
        const [anchor, head] = [model.getPositionAt(from), model.getPositionAt(to)];
        const hue = styles[`hue${hueOf(name)}`] ?? '';
        const hoverMessage = { value: name.replace(/[\\`*_{}[\]()#+\-.!<>|]/g, '\\$&') };
        return [
          {
            range: monaco.Range.fromPositions(
              ...((head.isBefore(anchor) ? [head, anchor] : [anchor, head]) as [typeof head, typeof head]),
            ),
            options: { className: `${styles.selection} ${hue}`, hoverMessage },
          },
          {
            range: monaco.Range.fromPositions(head, head),
            options: { beforeContentClassName: `${styles.cursor} ${hue}`, hoverMessage, stickiness: 1 },
          },
        ];
      }),
    );
  };
  const moved = instance.onDidChangeCursorSelection(tell);
  const typed = instance.onDidChangeModelContent(paint);
  const stop = presence.subscribe(paint);
  tell();
  paint();
  return () => {
    moved.dispose();
    typed.dispose();
    stop();
    presence.show({ code: undefined, range: undefined });
  };
}
