/** The canvas's keyboard: what each action of `canvas-keys.ts` does. */
import type { KeyboardEvent } from 'react';
import { type Editor, useEditor } from '../editor-context.tsx';
import { isEmpty, type Point, select } from '../editor-store.ts';
import { type CanvasAction, canvasAction } from './canvas-keys.ts';
import type { CanvasView } from './canvas-view.ts';
import { GRID } from './geometry.ts';
import { type Direction, firstNode, nextNode } from './next-node.ts';
import { placesOf } from './places.ts';

export function useCanvasKeys(view: CanvasView): (event: KeyboardEvent) => void {
  const editor = useEditor();
  return (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && target.closest('input, textarea, [role=listbox]')) return;
    const action = canvasAction(event);
    if (action === undefined) return;
    if (perform(editor, view, action)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}

const NUDGES: Readonly<Partial<Record<CanvasAction, Point>>> = {
  'nudge-up': [0, -GRID],
  'nudge-down': [0, GRID],
  'nudge-left': [-GRID, 0],
  'nudge-right': [GRID, 0],
};

/** False where there was nothing to do and the key is the browser's. */
function perform(editor: Editor, view: CanvasView, action: CanvasAction): boolean {
  const { actions, store } = editor;
  const state = store.getState();
  const by = NUDGES[action];
  if (by !== undefined) return done(() => actions.nudge(by));
  switch (action) {
    case 'up':
    case 'down':
    case 'left':
    case 'right':
      return done(() => go(editor, view, action));
    case 'toggle':
      return state.active !== undefined && done(() => toggle(editor, state.active as string));
    case 'open':
      return state.active !== undefined && done(() => open(editor, state.active as string));
    case 'add':
      return done(() => openQuickAdd(editor, view));
    case 'connect':
      return state.active !== undefined && done(() => store.setState({ connectFrom: state.active }));
    case 'rename':
      return state.active !== undefined && done(() => store.setState({ renaming: state.active }));
    case 'delete':
      return !isEmpty(state) && done(() => actions.deleteSelected(true));
    case 'delete-only':
      return !isEmpty(state) && done(() => actions.deleteSelected(false));
    case 'select-all':
      return done(actions.selectAll);
    case 'duplicate':
      return done(actions.duplicate);
    case 'undo':
      return done(actions.undo);
    case 'redo':
      return done(actions.redo);
    case 'layout':
      return done(actions.layOut);
    case 'note':
      return done(() => actions.addNote(view.middle()));
    case 'group':
      return done(actions.group);
    case 'fit':
      return done(() => view.fit());
    case 'fit-selection':
      return done(() => view.fit([...state.nodes, ...state.notes]));
    case 'zoom-in':
      return done(() => view.zoomBy(1.25));
    case 'zoom-out':
      return done(() => view.zoomBy(0.8));
    case 'escape':
      return !isEmpty(state) && done(() => select(store, {}));
    default:
      return false;
  }
}

function done(act: () => void): true {
  act();
  return true;
}

function go({ draft, types, store }: Editor, view: CanvasView, direction: Direction): void {
  const reading = draft.document.read();
  const { boxes } = placesOf(reading, types);
  const { active } = store.getState();
  const next =
    active === undefined
      ? firstNode(boxes)
      : nextNode(boxes, reading.pipeline.streams.values(), active, direction);
  if (next === undefined) return;
  const isNote = reading.layout.notes.has(next);
  select(store, isNote ? { notes: [next] } : { nodes: [next] });
  view.reveal([next]);
}

function toggle({ store, draft }: Editor, id: string): void {
  const { nodes, notes } = store.getState();
  const isNote = draft.document.read().layout.notes.has(id);
  const set = new Set(isNote ? notes : nodes);
  if (!set.delete(id)) set.add(id);
  store.setState(isNote ? { notes: set } : { nodes: set });
}

/** A note is written in; of a node the first setting gets the focus. */
function open({ store, draft, code }: Editor, id: string): void {
  const isNote = draft.document.read().layout.notes.has(id);
  if (isNote) {
    store.setState({ renaming: id });
    return;
  }
  select(store, { nodes: [id] });
  if (draft.document.read().pipeline.nodes.get(id)?.type === 'code') {
    code.open(id);
    return;
  }
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('[data-inspector] :is(input, textarea, select, button)')?.focus();
  });
}

export function openQuickAdd({ actions, store, types, draft }: Editor, view: CanvasView): void {
  const at = actions.freePlace(view.middle());
  const { active, nodes } = store.getState();
  const id = nodes.size === 1 ? [...nodes][0] : active;
  const { shapes } = placesOf(draft.document.read(), types);
  const output = id === undefined ? undefined : shapes.get(id)?.outputs[0];
  const from =
    id === undefined || output === undefined
      ? undefined
      : ({ port: [id, output.name], end: 'output' } as const);
  store.setState({ quickAdd: { place: [Number.NaN, Number.NaN], at, from } });
}
