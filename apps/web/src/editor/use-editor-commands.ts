/** The editor's actions and nodes in the command palette and on the shortcuts sheet. */
import type { Layout } from '@millrace/document';
import type { Stream } from '@millrace/graph';
import { PanelBottom, PanelLeft, PanelRight, Spline } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Command, useCommands } from '../shell/commands.ts';
import { canvasWords as words } from '../text/strings/canvas.ts';
import { CANVAS_ACTIONS, type TableAction } from './canvas/canvas-actions.ts';
import { keymapStore, keysOf, setKeys } from './canvas/canvas-keymap.ts';
import type { CanvasAction } from './canvas/canvas-keys.ts';
import type { CanvasSlot } from './canvas/canvas-view.ts';
import { type Editor, useEditor, useReading } from './editor-context.tsx';
import { select } from './editor-store.ts';
import { iconOf } from './node-icons.tsx';
import { panesStore, setPanes } from './panes-store.ts';

export function useEditorCommands(slot: CanvasSlot): void {
  const editor = useEditor();
  const reading = useReading();
  const { nodes, streams } = reading.pipeline;
  const names = reading.layout.streams;
  const own = useStore(keymapStore, (state) => state.own);
  useCommands(
    'editor',
    // biome-ignore lint/correctness/useExhaustiveDependencies: the keys one has chosen are shown
    useMemo(() => editorCommands(editor, slot), [editor, slot, own]),
  );
  useCommands(
    'nodes',
    useMemo(
      (): readonly Command[] =>
        [...nodes.values()].map(({ id, name, type }) => ({
          id: `node.${id}`,
          title: name,
          group: words.nodes,
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
  useCommands(
    'streams',
    useMemo(() => streamCommands(names, streams, editor, slot), [names, streams, editor, slot]),
  );
}

/** Of streams somebody has named: the others are found by their nodes. */
function streamCommands(
  names: Layout['streams'],
  streams: ReadonlyMap<string, Stream>,
  { store }: Editor,
  slot: CanvasSlot,
): readonly Command[] {
  return [...names].map(([id, { name }]) => ({
    id: `stream.${id}`,
    title: name,
    group: words.streams,
    icon: Spline,
    words: [streams.get(id)?.from[1] ?? ''],
    run: () => {
      select(store, { streams: [id] });
      slot.current?.reveal([id]);
      slot.current?.focus();
    },
  }));
}

/** Keys the browser's own events belong to. */
const TIED: ReadonlySet<CanvasAction> = new Set(['cut', 'copy', 'paste']);

const titleOf = (holder: CanvasAction | undefined): string | undefined =>
  holder && (CANVAS_ACTIONS.find(({ key }) => key === holder)?.title ?? holder);

function editorCommands(editor: Editor, slot: CanvasSlot): readonly Command[] {
  return [...CANVAS_ACTIONS.filter(({ forAll }) => forAll || editor.canEdit).map(asCommand), ...panes()];

  function asCommand(action: TableAction): Command {
    const { id, title, icon, key } = action;
    const keys = key && keysOf(key);
    return {
      id,
      title,
      group: words.canvas,
      isLocal: true,
      ...(icon && { icon }),
      ...(action.words && { words: action.words }),
      ...(keys && { keys }),
      ...(key && !TIED.has(key) && { rekey: (next) => titleOf(setKeys(key, next)) }),
      run: () => perform(action),
    };
  }

  function perform(action: TableAction): void {
    const view = slot.current;
    if (view === undefined) return;
    view.focus();
    const { active, nodes, notes, streams } = editor.store.getState();
    const [stream] = streams;
    const of = nodes.size + notes.size > 1 ? ('selection' as const) : (action.of[0] ?? 'canvas');
    const id = action.of.includes('stream') && active === undefined ? stream : active;
    action.run({ editor, view, menu: { of, id, at: view.middle() } });
  }
}

const panes = (): readonly Command[] =>
  (['left', 'right', 'bottom'] as const).map((side) => ({
    id: `pane.${side}`,
    title: words.panes[side],
    group: words.panesTitle,
    icon: { left: PanelLeft, right: PanelRight, bottom: PanelBottom }[side],
    run: () => setPanes({ [side]: !panesStore.getState()[side] }),
  }));
