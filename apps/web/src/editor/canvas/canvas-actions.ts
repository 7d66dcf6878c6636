/**
 * One table of what can be done on the canvas: the menus show what fits what they were opened on, the command palette
 * and the shortcuts sheet show all of it. What an action is about is selected before it runs.
 */
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Boxes,
  ClipboardPaste,
  Code,
  Copy,
  CopyPlus,
  FileInput,
  FoldVertical,
  KeyRound,
  type LucideIcon,
  Maximize,
  Plus,
  Redo2,
  Scissors,
  SlidersHorizontal,
  Spline,
  StickyNote,
  Trash2,
  Undo2,
  Ungroup,
  Workflow,
} from 'lucide-react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import type { Editor } from '../editor-context.tsx';
import type { CanvasMenu, Point } from '../editor-store.ts';
import type { CanvasAction } from './canvas-keys.ts';
import type { CanvasView } from './canvas-view.ts';
import { NODE_WIDTH } from './geometry.ts';
import { openKey } from './open-key.ts';
import { placesOf } from './places.ts';
import { openActive, openQuickAdd } from './use-canvas-keys.ts';

export type Of = CanvasMenu['of'];

export interface ActionWorld {
  readonly editor: Editor;
  readonly view: CanvasView;
  /** Without a menu: what is selected, and the middle of what is seen. */
  readonly menu: Pick<CanvasMenu, 'of' | 'id' | 'at'>;
}

export interface TableAction {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  /** What its key does on the canvas: its shortcut is shown. */
  readonly key?: CanvasAction;
  readonly words?: readonly string[];
  readonly isDanger?: boolean;
  /** Looking suffices. */
  readonly forAll?: boolean;
  readonly of: readonly Of[];
  /** Those of one part stand together in a menu. */
  readonly part: 'main' | 'clipboard' | 'order' | 'align' | 'view' | 'delete';
  readonly fits?: (world: ActionWorld) => boolean;
  readonly run: (world: ActionWorld) => void;
}

const NODES: readonly Of[] = ['node', 'selection'];
const THINGS: readonly Of[] = ['node', 'note', 'selection'];
const isCode = ({ editor, menu }: ActionWorld): boolean =>
  editor.draft.document.read().pipeline.nodes.get(menu.id ?? '')?.type === 'code';
const groupOf = ({ editor, menu }: ActionWorld): string | undefined =>
  editor.draft.document.read().layout.nodes.get(menu.id ?? '')?.group;
const isFolded = ({ editor, menu }: ActionWorld): boolean =>
  editor.draft.document.read().layout.groups.get(menu.id ?? '')?.collapsed === true;

/** Where a node goes that is put into a stream: its corner, so that its middle is the stream's. */
function between({ draft, types }: Editor, stream: string): Point {
  const reading = draft.document.read();
  const { boxes } = placesOf(reading, types);
  const ends = reading.pipeline.streams.get(stream);
  const [from, to] = [boxes.get(ends?.from[0] ?? ''), boxes.get(ends?.to[0] ?? '')];
  if (from === undefined || to === undefined) return [0, 0];
  return [(from.x + from.width + to.x - NODE_WIDTH) / 2, (from.y + to.y) / 2];
}

export const CANVAS_ACTIONS: readonly TableAction[] = [
  {
    id: 'node.add',
    title: words.addNode,
    icon: Plus,
    key: 'add',
    of: ['canvas'],
    part: 'main',
    run: ({ editor, view }) => openQuickAdd(editor, view),
  },
  {
    id: 'edit.note',
    title: words.addNote,
    icon: StickyNote,
    key: 'note',
    of: ['canvas'],
    part: 'main',
    run: ({ editor, menu }) => editor.actions.addNote(menu.at),
  },
  {
    id: 'node.open-code',
    title: words.openCode,
    icon: Code,
    key: 'open',
    forAll: true,
    of: ['node'],
    part: 'main',
    fits: isCode,
    run: ({ editor, menu }) => editor.code.open(menu.id ?? ''),
  },
  {
    id: 'node.open',
    title: words.openSettings,
    icon: SlidersHorizontal,
    key: 'open',
    forAll: true,
    of: ['node', 'note'],
    part: 'main',
    fits: (world) => !isCode(world),
    run: ({ editor, menu }) => openActive(editor, menu.id ?? ''),
  },
  {
    id: 'node.rename',
    title: words.rename,
    key: 'rename',
    of: ['node', 'group'],
    part: 'main',
    run: ({ editor, menu }) => editor.store.setState({ renaming: menu.id ?? editor.store.getState().active }),
  },
  {
    id: 'node.connect',
    title: words.connect,
    icon: Spline,
    key: 'connect',
    of: ['node'],
    part: 'main',
    run: ({ editor, menu }) =>
      editor.store.setState({ connectFrom: menu.id ?? editor.store.getState().active }),
  },
  {
    id: 'stream.key',
    title: words.setKey,
    icon: KeyRound,
    of: ['stream'],
    part: 'main',
    run: ({ editor, menu }) => openKey(editor.store, menu.id ?? ''),
  },
  {
    id: 'stream.insert',
    title: words.insertNode,
    icon: Plus,
    of: ['stream'],
    part: 'main',
    run: ({ editor, menu }) =>
      editor.store.setState({
        quickAdd: {
          place: [Number.NaN, Number.NaN],
          at: between(editor, menu.id ?? ''),
          spliceInto: menu.id,
        },
      }),
  },
  {
    id: 'group.fold',
    title: words.collapseOrExpand,
    icon: FoldVertical,
    key: 'fold',
    of: ['group'],
    part: 'main',
    run: ({ editor, menu }) => editor.actions.toggleGroup(menu.id ?? editor.store.getState().active ?? ''),
  },
  {
    id: 'group.ungroup',
    title: words.ungroup,
    icon: Ungroup,
    key: 'ungroup',
    of: ['group'],
    part: 'main',
    run: ({ editor, menu }) => editor.actions.ungroup(menu.id ?? editor.store.getState().active ?? ''),
  },
  {
    id: 'edit.group',
    title: words.makeGroup,
    icon: Boxes,
    key: 'group',
    of: NODES,
    part: 'order',
    run: ({ editor }) => editor.actions.group(),
  },
  {
    id: 'edit.leave-group',
    title: words.leaveGroup,
    of: ['node'],
    part: 'order',
    fits: (world) => groupOf(world) !== undefined && !isFolded(world),
    run: ({ editor }) => editor.actions.leaveGroup(),
  },
  {
    id: 'edit.cut',
    title: words.cut,
    icon: Scissors,
    key: 'cut',
    of: [...THINGS, 'group'],
    part: 'clipboard',
    run: ({ editor }) => {
      if (document.execCommand('cut')) return;
      editor.actions.copy();
      editor.actions.deleteSelected();
    },
  },
  {
    id: 'edit.copy',
    title: words.copy,
    icon: Copy,
    key: 'copy',
    forAll: true,
    of: [...THINGS, 'group'],
    part: 'clipboard',
    // By the browser's own event: it reaches the system's clipboard on plain http too.
    run: ({ editor }) => {
      if (!document.execCommand('copy')) editor.actions.copy();
    },
  },
  {
    id: 'edit.paste',
    title: words.paste,
    icon: ClipboardPaste,
    key: 'paste',
    of: ['canvas'],
    part: 'clipboard',
    run: ({ editor, menu }) => void editor.actions.paste(menu.at),
  },
  {
    id: 'edit.duplicate',
    title: words.duplicate,
    icon: CopyPlus,
    key: 'duplicate',
    of: [...THINGS, 'group'],
    part: 'clipboard',
    run: ({ editor }) => editor.actions.duplicate(),
  },
  ...(
    [
      ['left', words.alignLeft, AlignStartVertical],
      ['center', words.alignCentres, AlignCenterVertical],
      ['right', words.alignRight, AlignEndVertical],
      ['top', words.alignTop, AlignStartHorizontal],
      ['middle', words.alignMiddles, AlignCenterHorizontal],
      ['bottom', words.alignBottom, AlignEndHorizontal],
    ] as const
  ).map(
    ([how, title, icon]): TableAction => ({
      id: `align.${how}`,
      title,
      icon,
      of: ['selection'],
      part: 'align',
      run: ({ editor }) => editor.actions.align(how),
    }),
  ),
  {
    id: 'distribute.horizontal',
    title: words.spaceAcross,
    icon: AlignHorizontalDistributeCenter,
    of: ['selection'],
    part: 'align',
    run: ({ editor }) => editor.actions.distribute('horizontal'),
  },
  {
    id: 'distribute.vertical',
    title: words.spaceDown,
    icon: AlignVerticalDistributeCenter,
    of: ['selection'],
    part: 'align',
    run: ({ editor }) => editor.actions.distribute('vertical'),
  },
  {
    id: 'edit.layout',
    title: words.layOut,
    icon: Workflow,
    key: 'layout',
    of: ['canvas', 'selection'],
    part: 'order',
    run: ({ editor }) => editor.actions.layOut(),
  },
  {
    id: 'edit.undo',
    title: words.undo,
    icon: Undo2,
    key: 'undo',
    of: ['canvas'],
    part: 'clipboard',
    run: ({ editor }) => editor.actions.undo(),
  },
  {
    id: 'edit.redo',
    title: words.redo,
    icon: Redo2,
    key: 'redo',
    of: ['canvas'],
    part: 'clipboard',
    run: ({ editor }) => editor.actions.redo(),
  },
  {
    id: 'edit.import',
    title: words.importHere,
    icon: FileInput,
    words: words.importWords,
    of: ['canvas'],
    part: 'order',
    run: ({ editor }) => editor.store.setState({ isImporting: true }),
  },
  {
    id: 'select.all',
    title: words.selectAll,
    key: 'select-all',
    forAll: true,
    of: ['canvas'],
    part: 'view',
    run: ({ editor }) => editor.actions.selectAll(),
  },
  {
    id: 'view.fit',
    title: words.showAll,
    icon: Maximize,
    key: 'fit',
    forAll: true,
    of: ['canvas'],
    part: 'view',
    run: ({ view }) => view.fit(),
  },
  {
    id: 'view.fit-selection',
    title: words.showSelection,
    key: 'fit-selection',
    forAll: true,
    of: ['selection', 'group'],
    part: 'view',
    run: ({ editor, view }) => view.fit([...editor.store.getState().nodes]),
  },
  {
    id: 'edit.delete',
    title: words.deleteAndJoin,
    icon: Trash2,
    key: 'delete',
    isDanger: true,
    of: [...NODES, 'group'],
    part: 'delete',
    run: ({ editor }) => editor.actions.deleteSelected(),
  },
  {
    id: 'edit.delete-only',
    title: words.deleteOnly,
    key: 'delete-only',
    isDanger: true,
    of: [...THINGS, 'group', 'stream'],
    part: 'delete',
    run: ({ editor }) => editor.actions.deleteSelected(false),
  },
];

/** What a menu on this offers to who has it open. */
export function actionsOf(world: ActionWorld): readonly TableAction[] {
  return CANVAS_ACTIONS.filter(
    ({ of, forAll, fits }) =>
      of.includes(world.menu.of) && (forAll === true || world.editor.canEdit) && fits?.(world) !== false,
  );
}
