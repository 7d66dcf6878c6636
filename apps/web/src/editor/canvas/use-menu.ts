/** Opens the canvas's menu: on what is under the pointer, or on what the keyboard is at. */
import { useReactFlow } from '@xyflow/react';
import { type MouseEvent, useCallback } from 'react';
import { type Editor, useEditor } from '../editor-context.tsx';
import { type CanvasMenu, select } from '../editor-store.ts';

type Target = Pick<CanvasMenu, 'of' | 'id'>;

export function useContextMenu(): (event: MouseEvent) => void {
  const editor = useEditor();
  const { screenToFlowPosition } = useReactFlow();
  return useCallback(
    (event) => {
      const { target, clientX, clientY } = event;
      // Fields and the bars over the canvas keep the browser's own.
      if (!(target instanceof Element) || target.closest('input, textarea, [role=toolbar], [role=listbox]'))
        return;
      event.preventDefault();
      const under =
        target.closest('.react-flow__node, .react-flow__edge')?.getAttribute('data-id') ?? undefined;
      const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
      openMenu(editor, targetOf(editor, under), [clientX, clientY], [x, y]);
    },
    [editor, screenToFlowPosition],
  );
}

/** Beside the active node, else in the middle of what is selected or seen. */
export function openMenuByKey(editor: Editor): void {
  const { active, streams } = editor.store.getState();
  const [stream] = streams;
  const element =
    document.getElementById(`node-${active}`) ??
    document.querySelector(`.react-flow__edge[data-id="${CSS.escape(stream ?? '')}"] path`) ??
    document.querySelector('[data-canvas]');
  const box = element?.getBoundingClientRect();
  if (box === undefined) return;
  const isCanvas = element?.matches('[data-canvas]') === true;
  const place = isCanvas
    ? ([box.x + box.width / 2, box.y + box.height / 2] as const)
    : ([box.x + Math.min(24, box.width / 2), box.y + box.height / 2] as const);
  openMenu(editor, targetOf(editor, isCanvas ? undefined : (active ?? stream)), place, [0, 0]);
}

/** On one thing, at a place of the window: for what shows the graph elsewhere. */
export const openMenuOf = (editor: Editor, id: string, place: CanvasMenu['place']): void =>
  openMenu(editor, targetOf(editor, id), place, [0, 0]);

/** What is right-clicked outside the selection becomes the selection. */
function targetOf({ draft, store, actions }: Editor, id: string | undefined): Target {
  const { pipeline, layout } = draft.document.read();
  const { nodes, notes } = store.getState();
  if (id === undefined) return { of: 'canvas', id };
  if (layout.groups.has(id)) {
    actions.selectGroup(id);
    return { of: 'group', id };
  }
  if (nodes.size + notes.size > 1 && (nodes.has(id) || notes.has(id)))
    return { of: 'selection', id: undefined };
  if (pipeline.nodes.has(id)) {
    select(store, { nodes: [id] });
    return { of: 'node', id };
  }
  if (layout.notes.has(id)) {
    select(store, { notes: [id] });
    return { of: 'note', id };
  }
  if (!pipeline.streams.has(id)) return { of: 'canvas', id: undefined };
  select(store, { streams: [id] });
  return { of: 'stream', id };
}

function openMenu({ store }: Editor, target: Target, place: CanvasMenu['place'], at: CanvasMenu['at']): void {
  store.setState({ menu: { ...target, place, at } });
}
