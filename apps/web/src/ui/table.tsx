import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './table.module.css';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right; buttons need no head that is seen. */
  readonly align?: 'right';
  readonly isHeadHidden?: boolean;
  readonly width?: number | string;
}

export interface TableProps<Row> {
  /** What the table lists. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <div className={styles.frame}>
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, align, isHeadHidden, width }) => (
            <th key={head} className={classNames(align && styles[align])} style={{ width }} scope="col">
              {isHeadHidden ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, align, cell }) => (
              <td key={head} className={classNames(align && styles[align])}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
