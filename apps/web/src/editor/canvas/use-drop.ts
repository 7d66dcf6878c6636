/** Taking a type from the palette, and a double-click that asks for one. */
import { useReactFlow } from '@xyflow/react';
import type { DragEvent, MouseEvent, RefObject } from 'react';
import { useEditor } from '../editor-context.tsx';
import type { Point } from '../editor-store.ts';
import { draggedType } from '../palette/dragged-type.ts';
import { spliceAt } from './flow-commands.ts';
import { NODE_WIDTH } from './geometry.ts';

const HALF: Point = [NODE_WIDTH / 2, 32];

export function useDrop(frame: RefObject<HTMLDivElement | null>) {
  const { draft, types, store, actions, canEdit } = useEditor();
  const { screenToFlowPosition } = useReactFlow();
  const cornerAt = ({ clientX, clientY }: MouseEvent): Point => {
    const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
    return [x - HALF[0], y - HALF[1]];
  };
  const spliceInto = (type: string, [x, y]: Point): string | undefined => {
    if (types.get(type)?.kind !== 'computation') return undefined;
    return spliceAt(draft.document.read(), types, { x, y, width: NODE_WIDTH, height: 2 * HALF[1] });
  };
  return {
    onDragOver: (event: DragEvent) => {
      const type = draggedType.get();
      if (type === undefined || !canEdit) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      store.setState({ spliceInto: spliceInto(type, cornerAt(event)) });
    },
    onDragLeave: () => store.setState({ spliceInto: undefined }),
    onDrop: (event: DragEvent) => {
      const type = draggedType.get();
      if (type === undefined || !canEdit) return;
      event.preventDefault();
      draggedType.set(undefined);
      const at = cornerAt(event);
      store.setState({ spliceInto: undefined });
      actions.addNode({ type, at, spliceInto: spliceInto(type, at) });
      frame.current?.focus({ preventScroll: true });
    },
    onDoubleClick: (event: MouseEvent) => {
      const box = frame.current?.getBoundingClientRect();
      const isPane = event.target instanceof Element && event.target.classList.contains('react-flow__pane');
      if (!isPane || !canEdit || box === undefined) return;
      const place: Point = [event.clientX - box.left, event.clientY - box.top];
      store.setState({ quickAdd: { place, at: cornerAt(event) } });
    },
  };
}
