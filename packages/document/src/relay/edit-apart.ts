/** An edit of the server's own: made in a copy, so that it is judged and stored like everybody's. */
import * as Y from 'yjs';
import { type Applied, applyCommand, type CommandOptions } from '../commands/apply-command.ts';
import type { Command } from '../commands/command.ts';
import type { Refusal } from '../commands/decision.ts';
import { openDocument } from '../shape/open-document.ts';
import { emptyDoc } from '../shape/roots.ts';
import { SERVER_CLIENT_ID } from './issue-client-id.ts';
import type { Shadow } from './shadow.ts';

export interface EditedApart {
  readonly kind: 'edited';
  readonly applied: Applied;
  /** Of the server's client id. Undefined where everything was as wanted already. */
  readonly update: Uint8Array | undefined;
}

/** Costs in the size of the draft. */
export function editApart(shadow: Shadow, command: Command, options: CommandOptions): EditedApart | Refusal {
  const document = openDocument({ doc: emptyDoc() });
  const { doc } = document;
  const none = Y.encodeStateVector(doc);
  Y.applyUpdate(doc, shadow.missing(none));
  // Only now: Yjs gives up a client id under which others' edits arrive.
  doc.clientID = SERVER_CLIENT_ID;
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  const applied = applyCommand(document, command, options);
  document.close();
  if (applied.kind === 'refused') return applied;
  return { kind: 'edited', applied, update: updates.length === 0 ? undefined : Y.mergeUpdates(updates) };
}
