/**
 * Everything one can do in the editor, by name: mouse, keyboard, menus, the Outline and the command palette all
 * end here. Each is one step to undo. A refusal is told, never thrown.
 */
import {
  type Applied,
  type Command,
  type Selection as Copied,
  connectionHints,
  copySelection,
  type DragEnd,
  portsOf,
  type Refusal,
  readSelection,
  selectionText,
} from '@millrace/document';
import type { NodeTypes, Port } from '@millrace/graph';
import type { Draft } from '../document/draft.ts';
import { canvasWords } from '../text/strings/canvas.ts';
import { editorWords as words } from '../text/strings/editor.ts';
import { type Alignment, type Axis, align, distribute } from './canvas/align.ts';
import { autoLayout } from './canvas/auto-layout.ts';
import { type Box, GRID, NODE_WIDTH, onGrid } from './canvas/geometry.ts';
import { layoutEdges, NOTE_SIZE, placesOf } from './canvas/places.ts';
import { type EditorStore, type Point, select } from './editor-store.ts';
import { gestureNow } from './gesture.ts';
import { remember } from './palette/recent-types.ts';

export interface EditorWorld {
  readonly draft: Draft;
  readonly types: NodeTypes;
  readonly store: EditorStore;
  readonly tell: (tone: 'info', text: string) => void;
  /** The system's clipboard where there is one: on plain http there is not. */
  readonly clipboard: { write: (text: string) => void; read: () => Promise<string | undefined> };
}

export interface NewNode {
  readonly type: string;
  readonly at: Point;
  readonly from?: { readonly port: Port; readonly end: DragEnd } | undefined;
  /** The stream it was dropped on. */
  readonly spliceInto?: string | undefined;
}

export type EditorActions = ReturnType<typeof createActions>;

const FIRST_CODE = `import { computation } from '@millrace/sdk';

export default computation({});
`;
const STEP = 4 * GRID;
/** A copy hides neither its original nor what is written below that. */
const COPY_BY = [STEP, 14 * GRID] as const;
const GAP = 2 * GRID;
/** Room for what stands below a node while it runs. */
const BELOW = 6 * GRID;
const BESIDE = 80;

export function createActions({ draft, types, store, tell, clipboard }: EditorWorld) {
  const read = draft.document.read;
  let copied: Copied | undefined;
  let pasted = 0;

  const attempt = (command: Command, gesture = gestureNow()): Applied | undefined => {
    const result: Applied | Refusal = draft.run(command, { gesture });
    if (result.kind === 'applied') return result;
    tell('info', sentence(result.reason));
    return undefined;
  };
  /** What was only laid out for the eye is written before something else moves. */
  const settle = (gesture: string): void => {
    const { unplaced } = placesOf(read(), types);
    if (unplaced.length > 0) draft.run({ kind: 'move', places: unplaced }, { gesture });
  };
  const boxesOf = (ids: Iterable<string>): Map<string, Box> => {
    const { boxes } = placesOf(read(), types);
    return new Map([...ids].flatMap((id) => (boxes.has(id) ? [[id, boxes.get(id) as Box] as const] : [])));
  };
  const selectedBoxes = (): Map<string, Box> => {
    const { nodes, notes } = store.getState();
    return boxesOf([...nodes, ...notes]);
  };
  /** The first place downwards where nothing lies. */
  const freeOf = ([x, y]: Point, [width, height]: Point): Point => {
    const { boxes } = placesOf(read(), types);
    const inTheWay = (top: number): Box | undefined =>
      [...boxes.values()].find(
        (box) =>
          box.x < x + width + GAP &&
          x < box.x + box.width + GAP &&
          box.y < top + height + BELOW &&
          top < box.y + box.height + BELOW,
      );
    let top = y;
    for (let box = inTheWay(top); box !== undefined; box = inTheWay(top)) top = box.y + box.height + BELOW;
    return [onGrid(x), onGrid(top)];
  };
  const move = (places: readonly (readonly [string, Point])[]): void => {
    if (places.length === 0) return;
    const gesture = gestureNow();
    settle(gesture);
    attempt({ kind: 'move', places }, gesture);
  };

  const connect = (from: Port, to: Port, gesture = gestureNow()): boolean =>
    attempt({ kind: 'connect', from, to }, gesture) !== undefined;

  const addNode = ({ type, at, from, spliceInto }: NewNode): string | undefined => {
    const gesture = gestureNow();
    settle(gesture);
    const text = type === 'code' ? { text: FIRST_CODE } : {};
    const made = attempt({ kind: 'add-node', type, at: [onGrid(at[0]), onGrid(at[1])], ...text }, gesture);
    const [node] = made?.made ?? [];
    if (node === undefined) return undefined;
    remember(type);
    if (from !== undefined) {
      const port = bestPort(node, from.port, from.end);
      if (port !== undefined)
        connect(
          ...((from.end === 'output' ? [from.port, port] : [port, from.port]) as [Port, Port]),
          gesture,
        );
    }
    if (spliceInto !== undefined) splice(node, spliceInto, gesture);
    select(store, { nodes: [node] });
    return node;
  };

  /** The first port of a node that takes what is drawn. */
  const bestPort = (node: string, port: Port, end: DragEnd): Port | undefined =>
    connectionHints(read().pipeline, types, port, end).find(
      (hint) => hint.port[0] === node && hint.fault === undefined,
    )?.port;

  const splice = (node: string, stream: string, gesture = gestureNow()): boolean => {
    const { pipeline } = read();
    const [input] = portsOf(pipeline, types, node, 'inputs');
    const [output] = portsOf(pipeline, types, node, 'outputs');
    if (input === undefined || output === undefined) return false;
    const command = { kind: 'splice-node', node, input: input.name, output: output.name, stream } as const;
    return attempt(command, gesture) !== undefined;
  };

  const deleteSelected = (rejoin = true): void => {
    const { nodes, streams, notes } = store.getState();
    if (nodes.size + streams.size + notes.size === 0) return;
    const gesture = gestureNow();
    settle(gesture);
    const ids = { nodes: [...nodes], streams: [...streams], notes: [...notes] };
    if (attempt({ kind: 'delete', ...ids, rejoin }, gesture)) select(store, {});
  };

  /** The text for the system's clipboard; undefined where nothing is selected. */
  const copy = (): string | undefined => {
    const { nodes, notes } = store.getState();
    if (nodes.size + notes.size === 0) return undefined;
    const gesture = gestureNow();
    settle(gesture);
    copied = copySelection(draft.document, { nodes: [...nodes], notes: [...notes] });
    pasted = 0;
    return selectionText(copied);
  };

  const pasteSelection = (selection: Copied, at: Point): void => {
    const gesture = gestureNow();
    settle(gesture);
    const made = attempt({ kind: 'paste', selection, at: [onGrid(at[0]), onGrid(at[1])] }, gesture)?.made;
    if (made !== undefined) selectMade(made);
  };
  const membersOf = (group: string): string[] =>
    [...read().layout.nodes].filter(([, place]) => place.group === group).map(([id]) => id);
  const selectMade = (made: readonly string[]): void => {
    const { pipeline, layout } = read();
    select(store, {
      nodes: made.filter((id) => pipeline.nodes.has(id)),
      notes: made.filter((id) => layout.notes.has(id)),
    });
  };

  return {
    run: attempt,
    refuse: (reason: string): void => tell('info', reason),
    addNode,
    bestPort,
    connect,
    splice,
    move,
    deleteSelected,
    copyText: copy,
    copy: (): void => {
      const text = copy();
      if (text !== undefined) clipboard.write(text);
    },
    /** Text that is a selection of ours; false for any other text. */
    pasteText: (text: string, at: Point): boolean => {
      const selection = readSelection(text);
      if (selection === undefined) return false;
      pasteSelection(selection, at);
      return true;
    },
    /** From the system's clipboard, else what was copied in this page. */
    paste: async (at: Point): Promise<void> => {
      const text = await clipboard.read();
      const selection = (text === undefined ? undefined : readSelection(text)) ?? copied;
      if (selection === undefined) return tell('info', words.nothingToPaste);
      pasted += 1;
      pasteSelection(selection, [at[0] + STEP * (pasted - 1), at[1] + STEP * (pasted - 1)]);
    },
    duplicate: (): void => {
      const { nodes, notes } = store.getState();
      if (nodes.size + notes.size === 0) return;
      const gesture = gestureNow();
      settle(gesture);
      const command = { kind: 'duplicate', nodes: [...nodes], notes: [...notes], by: COPY_BY } as const;
      const made = attempt(command, gesture)?.made;
      if (made !== undefined) selectMade(made);
    },
    rename: (id: string, name: string): boolean =>
      attempt(
        read().layout.groups.has(id)
          ? { kind: 'edit-group', group: id, name }
          : { kind: 'rename-node', node: id, name },
      ) !== undefined,
    addNote: (at: Point): void => {
      const gesture = gestureNow();
      settle(gesture);
      const command = { kind: 'add-note', text: '', at: freeOf(at, NOTE_SIZE) } as const;
      const [note] = attempt(command, gesture)?.made ?? [];
      if (note !== undefined) {
        select(store, { notes: [note] });
        store.setState({ renaming: note });
      }
    },
    /** Puts the selected nodes into a group and asks for its name. */
    group: (): void => {
      const { nodes } = store.getState();
      if (nodes.size === 0) return;
      const gesture = gestureNow();
      settle(gesture);
      const [group] =
        attempt({ kind: 'group', nodes: [...nodes], name: canvasWords.group }, gesture)?.made ?? [];
      if (group !== undefined) store.setState({ active: group, renaming: group });
    },
    selectGroup: (group: string): void => {
      select(store, { nodes: membersOf(group) });
      store.setState({ active: group });
    },
    toggleGroup: (group: string): void => {
      const now = read().layout.groups.get(group);
      if (now !== undefined) attempt({ kind: 'edit-group', group, collapsed: !now.collapsed });
    },
    recolourGroup: (group: string, color: string): void => void attempt({ kind: 'edit-group', group, color }),
    ungroup: (group: string): void => void attempt({ kind: 'ungroup', groups: [group] }),
    leaveGroup: (): void => {
      const { nodes } = store.getState();
      attempt({ kind: 'put-into-group', nodes: [...nodes], group: undefined });
    },
    joinGroup: (group: string): void => {
      const { nodes } = store.getState();
      attempt({ kind: 'put-into-group', nodes: [...nodes], group });
    },
    align: (how: Alignment): void => move(align(selectedBoxes(), how)),
    distribute: (axis: Axis): void => move(distribute(selectedBoxes(), axis)),
    nudge: (by: Point): void =>
      move([...selectedBoxes()].map(([id, { x, y }]) => [id, [x + by[0], y + by[1]]])),
    /** The selection where several nodes are selected, else all of them. */
    layOut: (): void => {
      const { pipeline } = read();
      const { nodes } = store.getState();
      const ids = nodes.size > 1 ? nodes : pipeline.nodes.keys();
      const boxes = [...boxesOf(ids)].map(([id, box]) => ({ id, ...box }));
      const edges = layoutEdges(read(), placesOf(read(), types).shapes);
      const places = [...autoLayout(boxes, edges)].filter(([id, [x, y]]) => {
        const box = boxes.find((one) => one.id === id);
        return box?.x !== x || box?.y !== y;
      });
      move(places);
    },
    selectAll: (): void => {
      const { pipeline, layout } = read();
      select(store, { nodes: pipeline.nodes.keys(), notes: layout.notes.keys() });
    },
    undo: (): void => stepped('undo', draft.undo()),
    redo: (): void => stepped('redo', draft.redo()),
    /** Where a node goes that is added without a place: right of the active one, else in the middle. */
    freePlace: (middle: Point): Point => {
      const { active } = store.getState();
      const { boxes } = placesOf(read(), types);
      const box = active === undefined ? undefined : boxes.get(active);
      const at: Point =
        box === undefined
          ? [middle[0] - NODE_WIDTH / 2, middle[1] - 32]
          : [box.x + box.width + BESIDE, box.y];
      return freeOf(at, [NODE_WIDTH, 64]);
    },
  };

  function stepped(way: 'undo' | 'redo', result: ReturnType<Draft['undo']>): void {
    if (result.kind === 'nothing') return tell('info', words.nothingToStep(way));
    const { pipeline, layout } = read();
    const ids = new Set(
      result.changes.flatMap((change) => (change.kind === 'field' ? [change.id] : [change.code])),
    );
    const isSeen = [...ids].some(
      (id) => pipeline.nodes.has(id) || pipeline.streams.has(id) || layout.notes.has(id),
    );
    if (isSeen) {
      select(store, {
        nodes: [...ids].filter((id) => pipeline.nodes.has(id)),
        streams: [...ids].filter((id) => pipeline.streams.has(id)),
        notes: [...ids].filter((id) => layout.notes.has(id)),
      });
    }
    if (result.skipped.length > 0) {
      tell('info', words.partStayed);
    }
  }
}

function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
