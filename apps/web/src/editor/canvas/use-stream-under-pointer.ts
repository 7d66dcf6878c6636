/** Streams drawn on a canvas have no elements of their own: the one under the pointer is found, and becomes one. */
import { useReactFlow } from '@xyflow/react';
import { type PointerEvent, useRef } from 'react';
import { useEditor } from '../editor-context.tsx';
import { type DrawnStream, streamAt } from './drawn-streams.ts';

/** In pixels. */
const REACH = 10;

export function useStreamUnderPointer(streams: readonly DrawnStream[]): (event: PointerEvent) => void {
  const { store } = useEditor();
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const frame = useRef(0);
  return ({ target, buttons, clientX, clientY }) => {
    const isPane = target instanceof Element && target.classList.contains('react-flow__pane');
    if (streams.length === 0 || !isPane || buttons !== 0 || frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const { x, y } = screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false });
      const found = streamAt(streams, [x, y], REACH / getZoom())?.id;
      if (store.getState().hoveredStream !== found) store.setState({ hoveredStream: found });
    });
  };
}
