import { type NodeProps, NodeResizer } from '@xyflow/react';
import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { useEditor, useEditorState } from '../editor-context.tsx';
import { asOneStep } from '../gesture.ts';
import type { FlowNode } from './flow-elements.ts';
import type { Box } from './geometry.ts';
import styles from './note-view.module.css';

type Props = NodeProps<Extract<FlowNode, { type: 'note' }>>;

export const NoteView = memo(function NoteView({ id, data, selected }: Props) {
  const { actions, canEdit } = useEditor();
  const isEditing = useEditorState(({ renaming }) => renaming === id);
  const isActive = useEditorState(({ active }) => active === id);
  // Shown while the gesture lasts, written once when it ends.
  const [resized, setResized] = useState<Box>();
  const { text } = data.note;
  return (
    <div
      id={`node-${id}`}
      className={styles.note}
      style={resized && placedIn(data.box, resized)}
      data-selected={selected}
      data-active={isActive}
    >
      {canEdit && (
        <NodeResizer
          isVisible={selected}
          minWidth={120}
          minHeight={48}
          lineClassName={styles.edge ?? ''}
          handleClassName={styles.corner ?? ''}
          onResize={(_, { x, y, width, height }) => setResized({ x, y, width, height })}
          onResizeEnd={(_, { x, y, width, height }) => {
            const at = data.box;
            setResized(undefined);
            asOneStep(() => {
              actions.run({ kind: 'resize', id, size: [Math.round(width), Math.round(height)] });
              if (x !== at.x || y !== at.y) actions.move([[id, [x, y]]]);
            });
          }}
        />
      )}
      {isEditing ? (
        <NoteField id={id} text={text} />
      ) : (
        <div className={styles.text}>{text === '' ? <em>{words.emptyNote}</em> : text}</div>
      )}
    </div>
  );
});

const placedIn = (before: Box, { x, y, width, height }: Box): CSSProperties => ({
  position: 'absolute',
  left: x - before.x,
  top: y - before.y,
  width,
  height,
});

function NoteField({ id, text }: { readonly id: string; readonly text: string }) {
  const { actions, store } = useEditor();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const end = (): void => {
    const next = field.current?.value ?? text;
    if (store.getState().renaming === id) store.setState({ renaming: undefined });
    if (next !== text) actions.run({ kind: 'edit-note', note: id, text: next });
    document.querySelector<HTMLElement>('[data-canvas]')?.focus({ preventScroll: true });
  };
  return (
    <textarea
      ref={field}
      className={`${styles.field} nodrag nopan nowheel`}
      defaultValue={text}
      maxLength={20_000}
      aria-label={words.note}
      onBlur={end}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') end();
      }}
    />
  );
}
