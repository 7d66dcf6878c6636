/** What a sink's settings ask for, with all defaults put in. Pure. */
import { type ColumnType, parseTable, quoteIdentifier } from './identifiers.ts';
import { defaultType } from './row-path.ts';
import type { PostgresSinkConfig } from './spec.ts';

export interface Column {
  readonly name: string;
  /** `value.flights`, `key`, … */
  readonly from: string;
  readonly type: ColumnType;
}

export interface Target {
  readonly schema: string;
  readonly table: string;
  /** Schema-qualified and quoted, for SQL. */
  readonly sqlName: string;
  readonly columns: readonly Column[];
  /** The columns that make a row unique; empty where rows are appended. */
  readonly key: readonly Column[];
}

const DEFAULT_COLUMNS: NonNullable<PostgresSinkConfig['columns']> = {
  key: { from: 'key' },
  value: { from: 'value' },
  timestamp: { from: 'timestamp' },
  pane: { from: 'pane' },
};

const DEFAULT_KEY = ['key'];

export function targetOf(config: PostgresSinkConfig): Target {
  const parsed = parseTable(config.table);
  if (parsed.kind === 'refused') throw new Error(`table ${parsed.reason}`);
  const columns = Object.entries(config.columns ?? DEFAULT_COLUMNS).map(
    ([name, column]): Column => ({
      name,
      from: column.from,
      type: column.type ?? defaultType(column.from),
    }),
  );
  const keyNames = config.mode === 'upsert' ? (config.key ?? DEFAULT_KEY) : [];
  return {
    schema: parsed.schema,
    table: parsed.table,
    sqlName: `${quoteIdentifier(parsed.schema)}.${quoteIdentifier(parsed.table)}`,
    columns,
    key: keyNames.flatMap((name) => columns.filter((column) => column.name === name)),
  };
}
