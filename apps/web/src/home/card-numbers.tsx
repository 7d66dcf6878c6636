import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatFull, formatRate } from '../text/format-number.ts';
import { formatSpan } from '../text/format-time.ts';
import { Icon } from '../ui/icon.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import styles from './card-numbers.module.css';
import type { CardLive } from './use-live-summary.ts';

const NONE = '–';

/** Throughput, worst lag, errors: always in the same places, whether something runs or not. */
export function CardNumbers({ live: { now, rates } }: { readonly live: CardLive }) {
  return (
    <div className={styles.row}>
      <dl className={styles.numbers}>
        <Entry name="In" title={now && `${formatFull(now.rate)} records a second`}>
          {now ? formatRate(now.rate) : NONE}
        </Entry>
        <Entry name="Behind" title="Of the node that is farthest behind in event time">
          {now?.lagMs === undefined ? NONE : formatSpan(now.lagMs)}
        </Entry>
        <Entry name="Errors" title={now && `${formatFull(now.errors)} records could not be processed`}>
          {now && now.errors > 0 ? (
            <span className={styles.errors}>
              <Icon of={TriangleAlert} size={12} />
              {formatCount(now.errors)}
            </span>
          ) : now ? (
            '0'
          ) : (
            NONE
          )}
        </Entry>
      </dl>
      <div className={styles.spark}>
        <Sparkline
          values={now ? rates : []}
          width={96}
          height={28}
          label="Records in a second, last two minutes"
        />
      </div>
    </div>
  );
}

interface EntryProps {
  readonly name: string;
  readonly title: string | undefined;
  readonly children: ReactNode;
}

const Entry = ({ name, title, children }: EntryProps) => (
  <div className={styles.entry} title={title}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
