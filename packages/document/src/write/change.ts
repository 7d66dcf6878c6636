/**
 * What an edit did, as plain data: enough to take it back exactly, after a reload, from another tab. A field is
 * addressed by table, entity and name; text by the ids of its characters.
 */
import type { Stored } from '../shape/stored.ts';
import type { Table } from '../shape/tables.ts';
import type { DeletedPiece, IdRange } from '../text/id-ranges.ts';

export interface FieldChange {
  readonly kind: 'field';
  readonly table: Table;
  readonly id: string;
  readonly field: string;
  /** Left out where the field was not there. */
  readonly before?: Stored;
  readonly after?: Stored;
}

export interface TextChange {
  readonly kind: 'text';
  /** Id of the node or file whose text it is. */
  readonly code: string;
  readonly inserted: readonly IdRange[];
  readonly deleted: readonly DeletedPiece[];
}

export type Change = FieldChange | TextChange;
