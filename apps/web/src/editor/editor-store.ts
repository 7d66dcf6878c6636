/**
 * What one person looks at in the editor: selection, the active node, what is being drawn or named. Nothing of the
 * pipeline itself; that is the document's. Framework-free.
 */
import type { ConnectionHint, DragEnd } from '@millrace/document';
import type { Port } from '@millrace/graph';
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface Selection {
  readonly nodes: ReadonlySet<string>;
  readonly streams: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

/** A port from which somebody draws, and what every other port says to that. */
export interface Connecting {
  readonly port: Port;
  readonly end: DragEnd;
  /** The stream one end of which is moved. */
  readonly rewires?: string;
  /** By `portKey`. */
  readonly hints: ReadonlyMap<string, ConnectionHint>;
}

export interface QuickAdd {
  /** Where the list opens, in pixels of the canvas. */
  readonly place: Point;
  /** Where the node goes, in canvas units. */
  readonly at: Point;
  readonly from?: { readonly port: Port; readonly end: DragEnd } | undefined;
  /** The stream it goes between. */
  readonly spliceInto?: string | undefined;
}

export type Point = readonly [x: number, y: number];

export interface EditorState extends Selection {
  /** The node or note the keyboard is at. */
  readonly active: string | undefined;
  readonly renaming: string | undefined;
  readonly connecting: Connecting | undefined;
  readonly quickAdd: QuickAdd | undefined;
  /** The node from which the keyboard looks for a port to connect to. */
  readonly connectFrom: string | undefined;
  /** The stream a dragged node would be spliced into. */
  readonly spliceInto: string | undefined;
  readonly hoveredStream: string | undefined;
  /** The line of code, `nodes/x.ts:3`, whose log somebody wants to see alone. */
  readonly logPlace: string | undefined;
  /** The key of a node whose state somebody wants to see. */
  readonly stateKey: { readonly node: string; readonly key: string } | undefined;
  /** Where a menu is open, in pixels of the window, and of what. */
  readonly menu: CanvasMenu | undefined;
  /** Somebody chooses a folder to bring into this draft. */
  readonly isImporting: boolean;
}

export interface CanvasMenu {
  readonly place: Point;
  /** In canvas units. */
  readonly at: Point;
  readonly of: 'canvas' | 'node' | 'note' | 'stream' | 'group' | 'selection';
  readonly id: string | undefined;
}

export type EditorStore = StoreApi<EditorState>;

export const NOTHING: Selection = { nodes: new Set(), streams: new Set(), notes: new Set() };

export function createEditorStore(): EditorStore {
  return createStore<EditorState>(() => ({
    ...NOTHING,
    active: undefined,
    renaming: undefined,
    connecting: undefined,
    quickAdd: undefined,
    connectFrom: undefined,
    spliceInto: undefined,
    hoveredStream: undefined,
    logPlace: undefined,
    stateKey: undefined,
    menu: undefined,
    isImporting: false,
  }));
}

/** Selects these and nothing else; the first of them becomes active. */
export function select(
  store: EditorStore,
  ids: { readonly [K in keyof Selection]?: Iterable<string> },
): void {
  const [nodes, streams, notes] = [new Set(ids.nodes), new Set(ids.streams), new Set(ids.notes)];
  const active = [...nodes, ...notes][0];
  store.setState({ nodes, streams, notes, ...(active === undefined ? {} : { active }) });
}

export const isEmpty = ({ nodes, streams, notes }: Selection): boolean =>
  nodes.size + streams.size + notes.size === 0;

/** What is gone from the document is not selected any more. */
export function forget(store: EditorStore, isThere: (id: string) => boolean): void {
  const { nodes, streams, notes, active } = store.getState();
  const kept = (ids: ReadonlySet<string>): ReadonlySet<string> =>
    [...ids].every(isThere) ? ids : new Set([...ids].filter(isThere));
  const next = { nodes: kept(nodes), streams: kept(streams), notes: kept(notes) };
  const same = next.nodes === nodes && next.streams === streams && next.notes === notes;
  const isLost = active !== undefined && !isThere(active);
  if (!same || isLost) store.setState({ ...next, ...(isLost ? { active: undefined } : {}) });
}

export const portKey = ([node, name]: Port, side: 'input' | 'output'): string => `${node}\n${side}\n${name}`;
