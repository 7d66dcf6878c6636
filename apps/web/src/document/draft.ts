/**
 * A pipeline's draft as the page edits it: what the editor knows of where it lies and how it is kept. The editor
 * never fetches and never sees Yjs; it runs commands and is told.
 */
import type { Applied, Command, NothingToStep, PipelineDocument, Refusal, Stepped } from '@millrace/document';

export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** Edits stay in the page and are sent as soon as that is possible again. */
  | { readonly kind: 'unsaved'; readonly reason: string }
  | { readonly kind: 'read-only'; readonly reason: string };

export interface DraftState {
  readonly save: SaveState;
  /** Label of the step that undo or redo would take; undefined where there is none. */
  readonly undo: string | undefined;
  readonly redo: string | undefined;
}

export interface RunOptions {
  /** The same for all edits that are one step to undo; unique per gesture. */
  readonly gesture?: string;
}

export interface Draft {
  readonly document: PipelineDocument;
  readonly run: (command: Command, options?: RunOptions) => Applied | Refusal;
  readonly undo: () => Stepped | NothingToStep;
  readonly redo: () => Stepped | NothingToStep;
  /** The same object until it changes. */
  readonly state: () => DraftState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends what is not sent yet. */
  readonly flush: () => Promise<void>;
  readonly close: () => void;
}
