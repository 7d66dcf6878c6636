/** The draft of a pipeline as the editor opens it: shared, over the page's socket, kept in this browser meanwhile. */
import type { NodeTypes } from '@millrace/graph';
import { openWire } from '../sockets/wire.ts';
import { offlineEdits } from './offline-edits.ts';
import { type OpenFailure, openSharedDraft, type SharedDraft } from './shared-draft.ts';

export interface DraftPlace {
  readonly pipeline: string;
  /** Whose edits are kept. */
  readonly account: string;
  readonly types: NodeTypes;
}

/** Waits for the server as long as it takes. The caller closes the draft. */
export function openDraft({ pipeline, account, types }: DraftPlace): Promise<SharedDraft | OpenFailure> {
  return openSharedDraft({ pipeline, types, wire: openWire(), kept: offlineEdits(account, pipeline) });
}
