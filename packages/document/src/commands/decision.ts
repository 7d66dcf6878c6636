/** What a command decides from, and what it decides. */
import type { IdPrefix, NodeTypes } from '@millrace/graph';
import type { Reading } from '../read/reading.ts';
import type { PipelineDocument } from '../shape/open-document.ts';
import { type Stored, toStored } from '../shape/stored.ts';
import type { Table } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';

export interface Scene {
  readonly document: PipelineDocument;
  readonly reading: Reading;
  /** Without them ports and kinds are not checked. */
  readonly types: NodeTypes | undefined;
  readonly mint: (prefix: IdPrefix) => string;
}

/** Why a command does not apply. An expected outcome: two people edit at once. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: string;
  /** For people: what was tried, why not, what to do. */
  readonly reason: string;
}

export interface Decided {
  readonly kind: 'decided';
  readonly edits: readonly Edit[];
  /** Ids of what the command made, for the page to select. */
  readonly made: readonly string[];
}

export type Decision = Decided | Refusal;

export function refuse(code: string, reason: string): Refusal {
  return { kind: 'refused', code, reason };
}

export function decided(edits: readonly Edit[], made: readonly string[] = []): Decided {
  return { kind: 'decided', edits, made };
}

export function set(table: Table, id: string, field: string, value: Stored | undefined): Edit {
  return { kind: 'set', table, id, field, value };
}

/** For values that are known to be storable: points, pairs, flags. */
export function setValue(table: Table, id: string, field: string, value: unknown): Edit {
  return set(table, id, field, value === undefined ? undefined : toStored(value));
}

const MAX_NAME = 200;

export function nameFault(name: string): Refusal | undefined {
  if (name.trim() === '') return refuse('bad-name', 'a name cannot be empty; type one');
  if (name.length > MAX_NAME)
    return refuse('bad-name', `a name has at most ${MAX_NAME} characters; shorten it`);
  if (/\p{Cc}/u.test(name)) return refuse('bad-name', 'a name cannot hold control characters; remove them');
  return undefined;
}

export function noNode(id: string): Refusal {
  return refuse('no-node', `the node ${id.slice(0, 80)} is not there any more; somebody may have deleted it`);
}

export function noStream(id: string): Refusal {
  return refuse(
    'no-stream',
    `the stream ${id.slice(0, 80)} is not there any more; somebody may have deleted it`,
  );
}
