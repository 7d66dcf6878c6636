/** What a command decided to write. A command decides from a reading; `writeEdits` acts. */
import type { Stored } from '../shape/stored.ts';
import type { EntityTable, Table } from '../shape/tables.ts';

export type FieldValues = ReadonlyMap<string, Stored>;

/** Positions are UTF-16 units; each splice sees the text the one before it left. */
export interface Splice {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

export type Edit =
  | {
      readonly kind: 'create';
      readonly table: EntityTable;
      readonly id: string;
      readonly fields: FieldValues;
    }
  | {
      readonly kind: 'set';
      readonly table: Table;
      readonly id: string;
      readonly field: string;
      /** Undefined removes the field. */
      readonly value: Stored | undefined;
    }
  /** Does nothing where the text is there already: two people may open the same new file. */
  | { readonly kind: 'create-text'; readonly code: string; readonly text: string }
  | { readonly kind: 'splice-text'; readonly code: string; readonly splices: readonly Splice[] };
