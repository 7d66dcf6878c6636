/**
 * Every edit there is, by name. A command is what somebody wants; `applyCommand` decides what that means now.
 * Plain data but for `apply-folder`. Positions are `[x, y]` in canvas units.
 */
import type { ParameterType, ParameterValue, PipelineFolder, Port } from '@millrace/graph';
import type { Selection } from '../clipboard/selection.ts';
import type { Point } from '../read/entity.ts';
import type { Splice } from '../write/edit.ts';

export type NodeCommand =
  | {
      readonly kind: 'add-node';
      readonly type: string;
      readonly at: Point;
      /** Without one the type's title; made unique either way. */
      readonly name?: string;
      readonly config?: Readonly<Record<string, unknown>>;
      /** First code of a node of type `code`. */
      readonly text?: string;
    }
  | { readonly kind: 'rename-node'; readonly node: string; readonly name: string }
  /** `value` undefined removes the setting. */
  | { readonly kind: 'set-setting'; readonly node: string; readonly setting: string; readonly value: unknown }
  | { readonly kind: 'set-switch'; readonly node: string; readonly switch: Switch; readonly on: boolean }
  /** An operator becomes code that does the same; id, name and streams stay. */
  | { readonly kind: 'turn-into-code'; readonly node: string; readonly text: string };

/** `strong` is on for strong productions (G5). */
export type Switch = 'exactlyOnce' | 'strong' | 'idempotent';

export type StreamCommand =
  | { readonly kind: 'connect'; readonly from: Port; readonly to: Port; readonly keyBy?: string }
  | { readonly kind: 'disconnect'; readonly streams: readonly string[] }
  /** Moves one end or both; the id stays. */
  | { readonly kind: 'rewire'; readonly stream: string; readonly from?: Port; readonly to?: Port }
  /** Puts a node into a stream: what was keyed and how it arrives at the consumer stays. */
  | {
      readonly kind: 'splice-node';
      readonly node: string;
      readonly input: string;
      readonly output: string;
      readonly stream: string;
    }
  | { readonly kind: 'set-key-by'; readonly stream: string; readonly keyBy: string | undefined }
  /** All streams out of one output of a node come from another one. */
  | { readonly kind: 'rename-output'; readonly node: string; readonly from: string; readonly to: string }
  | { readonly kind: 'rename-stream'; readonly stream: string; readonly name: string | undefined };

export type SelectionCommand =
  | {
      readonly kind: 'delete';
      readonly nodes?: readonly string[];
      readonly streams?: readonly string[];
      readonly notes?: readonly string[];
      /** Joins what was before the deleted nodes to what was behind them. */
      readonly rejoin?: boolean;
    }
  /** Brings deleted ones back, with code and settings as they are now. */
  | { readonly kind: 'restore'; readonly nodes: readonly string[]; readonly streams?: readonly string[] }
  /** `at` is where the upper left corner of the selection goes. */
  | { readonly kind: 'paste'; readonly selection: Selection; readonly at: Point }
  | {
      readonly kind: 'duplicate';
      readonly nodes: readonly string[];
      readonly notes?: readonly string[];
      readonly by: Point;
    };

export type LayoutCommand =
  /** Nodes and notes; once per gesture, not once per frame. */
  | { readonly kind: 'move'; readonly places: readonly (readonly [id: string, at: Point])[] }
  | { readonly kind: 'resize'; readonly id: string; readonly size: Point | undefined }
  | {
      readonly kind: 'add-note';
      readonly text: string;
      readonly at: Point;
      readonly size?: Point;
      readonly color?: string;
    }
  | { readonly kind: 'edit-note'; readonly note: string; readonly text?: string; readonly color?: string }
  | {
      readonly kind: 'group';
      readonly nodes: readonly string[];
      readonly name: string;
      readonly color?: string;
    }
  | { readonly kind: 'ungroup'; readonly groups: readonly string[] }
  | { readonly kind: 'put-into-group'; readonly nodes: readonly string[]; readonly group: string | undefined }
  | {
      readonly kind: 'edit-group';
      readonly group: string;
      readonly name?: string;
      readonly color?: string;
      readonly collapsed?: boolean;
    };

export type SettingsCommand =
  | { readonly kind: 'rename-pipeline'; readonly name: string }
  | {
      readonly kind: 'set-parameter';
      readonly parameter: string;
      readonly type: ParameterType;
      readonly default?: ParameterValue;
      readonly description?: string;
    }
  | { readonly kind: 'delete-parameter'; readonly parameter: string };

export type FileCommand =
  | { readonly kind: 'add-file'; readonly path: string; readonly text: string }
  | { readonly kind: 'rename-file'; readonly file: string; readonly path: string }
  | { readonly kind: 'delete-files'; readonly files: readonly string[] }
  /** `code` is the id of a node or a file. */
  | { readonly kind: 'edit-code'; readonly code: string; readonly splices: readonly Splice[] };

/** Import and restore: what differs is edited, matched by id (G1); nothing is replaced. */
export interface FolderCommand {
  readonly kind: 'apply-folder';
  readonly folder: PipelineFolder;
}

export type Command =
  | NodeCommand
  | StreamCommand
  | SelectionCommand
  | LayoutCommand
  | SettingsCommand
  | FileCommand
  | FolderCommand;

export type CommandKind = Command['kind'];
