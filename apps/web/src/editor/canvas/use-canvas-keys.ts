/** The canvas's keyboard: what each action of `canvas-keys.ts` does. */
import type { KeyboardEvent } from 'react';
import { type Editor, useEditor } from '../editor-context.tsx';
import { isEmpty, type Point, select } from '../editor-store.ts';
import { actionFor } from './canvas-keymap.ts';
import type { CanvasAction } from './canvas-keys.ts';
import type { CanvasView } from './canvas-view.ts';
import { GRID } from './geometry.ts';
import { seenBoxes, standIns } from './groups.ts';
import { type Direction, firstNode, nextNode } from './next-node.ts';
import { placesOf } from './places.ts';
import { openMenuByKey } from './use-menu.ts';

export function useCanvasKeys(view: CanvasView): (event: KeyboardEvent) => void {
  const editor = useEditor();
  return (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && target.closest('input, textarea, [role=listbox]')) return;
    const action = actionFor(event);
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
      return state.active !== undefined && done(() => openActive(editor, state.active as string));
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
    case 'ungroup':
      return isGroup(editor, state.active) && done(() => actions.ungroup(state.active as string));
    case 'fold':
      return done(() => fold(editor));
    case 'menu':
      return done(() => openMenuByKey(editor));
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

const isGroup = ({ draft }: Editor, id: string | undefined): boolean =>
  draft.document.read().layout.groups.has(id ?? '');

/** The active group, or the one the active node is in. */
function fold(editor: Editor): void {
  const { active = '' } = editor.store.getState();
  const { layout } = editor.draft.document.read();
  const group = layout.groups.has(active) ? active : layout.nodes.get(active)?.group;
  if (group === undefined) return;
  editor.actions.toggleGroup(group);
  editor.actions.selectGroup(group);
}

function done(act: () => void): true {
  act();
  return true;
}

function go({ draft, types, store, actions }: Editor, view: CanvasView, direction: Direction): void {
  const reading = draft.document.read();
  const boxes = seenBoxes(reading, placesOf(reading, types).boxes);
  const standIn = standIns(reading);
  const { active } = store.getState();
  const streams = [...reading.pipeline.streams.values()].map((stream) => ({
    ...stream,
    from: [standIn(stream.from[0]), stream.from[1]] as const,
    to: [standIn(stream.to[0]), stream.to[1]] as const,
  }));
  const next = active === undefined ? firstNode(boxes) : nextNode(boxes, streams, standIn(active), direction);
  if (next === undefined) return;
  if (reading.layout.groups.has(next)) {
    actions.selectGroup(next);
    return view.reveal([next]);
  }
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

/** A note is written in; a group is opened or closed; of a node the code is shown, or the first setting gets the focus. */
export function openActive({ store, draft, code, actions }: Editor, id: string): void {
  if (draft.document.read().layout.groups.has(id)) return actions.toggleGroup(id);
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
