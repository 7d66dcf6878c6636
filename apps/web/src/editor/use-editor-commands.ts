/** The editor's actions and nodes in the command palette and on the shortcuts sheet. */
import {
  Copy,
  Maximize,
  PanelBottom,
  PanelLeft,
  PanelRight,
  Plus,
  Redo2,
  Spline,
  StickyNote,
  Trash2,
  Undo2,
  Workflow,
} from 'lucide-react';
import { useMemo } from 'react';
import { type Command, useCommands } from '../shell/commands.ts';
import type { CanvasSlot } from './canvas/canvas-view.ts';
import { openQuickAdd } from './canvas/use-canvas-keys.ts';
import { type Editor, useEditor, useReading } from './editor-context.tsx';
import { select } from './editor-store.ts';
import { iconOf } from './node-icons.tsx';
import { panesStore, setPanes } from './panes-store.ts';

export function useEditorCommands(slot: CanvasSlot): void {
  const editor = useEditor();
  const { nodes } = useReading().pipeline;
  useCommands(
    'editor',
    useMemo(() => editorCommands(editor, slot), [editor, slot]),
  );
  useCommands(
    'nodes',
    useMemo(
      (): readonly Command[] =>
        [...nodes.values()].map(({ id, name, type }) => ({
          id: `node.${id}`,
          title: name,
          group: 'Nodes',
          icon: iconOf(type),
          words: [type],
          run: () => {
            select(editor.store, { nodes: [id] });
            slot.current?.reveal([id]);
            slot.current?.focus();
          },
        })),
      [nodes, editor, slot],
    ),
  );
}

function editorCommands(editor: Editor, slot: CanvasSlot): readonly Command[] {
  const { actions, store, canEdit } = editor;
  const onCanvas = (act: () => void) => () => {
    slot.current?.focus();
    act();
  };
  const local = { group: 'Canvas', isLocal: true } as const;
  const view: Command[] = [
    {
      id: 'view.fit',
      title: 'Show all',
      keys: '1',
      icon: Maximize,
      ...local,
      run: () => slot.current?.fit(),
    },
    {
      id: 'view.fit-selection',
      title: 'Show the selection',
      keys: '2',
      ...local,
      run: () => slot.current?.fit([...store.getState().nodes]),
    },
    { id: 'select.all', title: 'Select all', keys: 'mod+a', ...local, run: onCanvas(actions.selectAll) },
    ...(['left', 'right', 'bottom'] as const).map((side) => ({
      id: `pane.${side}`,
      title: {
        left: 'Show or hide the palette',
        right: 'Show or hide the inspector',
        bottom: 'Show or hide the drawer',
      }[side],
      group: 'Panes',
      icon: { left: PanelLeft, right: PanelRight, bottom: PanelBottom }[side],
      run: () => setPanes({ [side]: !panesStore.getState()[side] }),
    })),
  ];
  if (!canEdit) return view;
  return [
    {
      id: 'node.add',
      title: 'Add a node',
      keys: '/',
      icon: Plus,
      ...local,
      run: onCanvas(() => slot.current && openQuickAdd(editor, slot.current)),
    },
    {
      id: 'node.connect',
      title: 'Connect the active node',
      keys: 'c',
      icon: Spline,
      ...local,
      run: onCanvas(() => store.setState({ connectFrom: store.getState().active })),
    },
    {
      id: 'node.rename',
      title: 'Rename',
      keys: 'f2',
      ...local,
      run: onCanvas(() => store.setState({ renaming: store.getState().active })),
    },
    { id: 'edit.undo', title: 'Undo', keys: 'mod+z', icon: Undo2, ...local, run: actions.undo },
    { id: 'edit.redo', title: 'Redo', keys: 'mod+shift+z', icon: Redo2, ...local, run: actions.redo },
    { id: 'edit.duplicate', title: 'Duplicate', keys: 'mod+d', icon: Copy, ...local, run: actions.duplicate },
    {
      id: 'edit.delete',
      title: 'Delete and join what is left',
      keys: 'delete',
      icon: Trash2,
      ...local,
      run: () => actions.deleteSelected(),
    },
    {
      id: 'edit.note',
      title: 'Add a note',
      keys: 'n',
      icon: StickyNote,
      ...local,
      run: onCanvas(() => slot.current && actions.addNote(slot.current.middle())),
    },
    { id: 'edit.layout', title: 'Lay out', keys: 'shift+l', icon: Workflow, ...local, run: actions.layOut },
    { id: 'edit.group', title: 'Group', keys: 'mod+g', ...local, run: actions.group },
    ...view,
  ];
}
