import { Boxes, ChevronDown, ChevronRight, CircleAlert, KeyRound, Spline } from 'lucide-react';
import { outlineWords as words } from '../../text/strings/outline.ts';
import { Icon } from '../../ui/icon.tsx';
import { TypeIcon } from '../palette/type-icon.tsx';
import styles from './outline.module.css';
import type { OutlineRow } from './outline-rows.ts';

export interface RowContentProps {
  readonly row: OutlineRow;
  readonly isFolded: boolean;
  readonly onFold: (id: string, isFolded: boolean) => void;
  readonly errors: number;
}

export function RowContent({ row, isFolded, onFold, errors }: RowContentProps) {
  return (
    <>
      {row.kind === 'stream' ? (
        <StreamNames row={row} />
      ) : (
        <>
          <button
            type="button"
            tabIndex={-1}
            aria-hidden
            className={styles.fold}
            data-hidden={!row.isOpenable}
            onClick={(event) => {
              event.stopPropagation();
              onFold(row.id, !isFolded);
            }}
          >
            <Icon of={isFolded ? ChevronRight : ChevronDown} size={14} />
          </button>
          {row.kind === 'node' ? (
            <TypeIcon type={row.node.type} size={20} />
          ) : (
            <span className={styles.group}>
              <Icon of={Boxes} />
            </span>
          )}
          <span className={styles.name}>{row.kind === 'node' ? row.node.name : row.group.name}</span>
        </>
      )}
      {errors > 0 && (
        <span className={styles.errors}>
          <Icon of={CircleAlert} size={12} label={words.errors(errors)} />
        </span>
      )}
    </>
  );
}

/** Ports that everybody has go without saying: there is little room. */
function StreamNames({ row }: { readonly row: Extract<OutlineRow, { kind: 'stream' }> }) {
  const { from, to, keyBy } = row.stream;
  const whole = `${row.name === undefined ? '' : `${row.name}: `}${from[1]} → ${row.to}.${to[1]}${keyBy === undefined ? '' : `, ${words.by(keyBy)}`}`;
  return (
    <>
      <Icon of={Spline} size={14} />
      <span className={styles.name} title={whole}>
        {row.name ?? (from[1] === 'out' ? '' : from[1])} → {row.to}
        {to[1] === 'in' || row.name !== undefined ? '' : `.${to[1]}`}
      </span>
      {keyBy !== undefined && (
        <span className={styles.key} title={words.by(keyBy)}>
          <Icon of={KeyRound} size={12} label={words.by(keyBy)} />
        </span>
      )}
    </>
  );
}
