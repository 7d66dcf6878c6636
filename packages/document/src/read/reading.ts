/** A draft as it reads now: the graph, what only the editor sees, and what had to be put right on the way. */
import type { Issue, Pipeline } from '@millrace/graph';
import type { Point } from './entity.ts';

export interface Placement {
  readonly at: Point | undefined;
  readonly size: Point | undefined;
  /** Id of the group the node is in. */
  readonly group: string | undefined;
}

export interface Note {
  readonly text: string;
  readonly at: Point;
  readonly size: Point | undefined;
  readonly color: string | undefined;
}

export interface Group {
  readonly name: string;
  readonly color: string | undefined;
  readonly collapsed: boolean;
}

/** What people call a stream. No engine reads it: a stream is known by its id. */
export interface StreamWords {
  readonly name: string;
}

export interface Layout {
  readonly nodes: ReadonlyMap<string, Placement>;
  readonly notes: ReadonlyMap<string, Note>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Of streams that have a name of their own. */
  readonly streams: ReadonlyMap<string, StreamWords>;
}

/** A file that is not the code of a node: under lib/ or tests/, or a spare one under nodes/. */
export interface SharedFile {
  readonly id: string;
  readonly path: string;
}

export interface Reading {
  readonly pipeline: Pipeline;
  readonly layout: Layout;
  readonly files: ReadonlyMap<string, SharedFile>;
  /** What merging broke or a peer wrote wrongly. What a graph of this form may not do is in `validateFolder`. */
  readonly problems: readonly Issue[];
}

export const EMPTY_LAYOUT: Layout = {
  nodes: new Map(),
  notes: new Map(),
  groups: new Map(),
  streams: new Map(),
};
