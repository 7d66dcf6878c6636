import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatFull, formatRate } from '../text/format-number.ts';
import { formatSpan } from '../text/format-time.ts';
import { homeWords } from '../text/strings/home.ts';
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
        <Entry name={homeWords.in} title={now && homeWords.recordsASecond(formatFull(now.rate))}>
          {now ? formatRate(now.rate) : NONE}
        </Entry>
        <Entry name={homeWords.behind} title={homeWords.behindAbout}>
          {now?.lagMs === undefined ? NONE : formatSpan(now.lagMs)}
        </Entry>
        <Entry name={homeWords.errors} title={now && homeWords.couldNotBeProcessed(formatFull(now.errors))}>
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
        <Sparkline values={now ? rates : []} width={84} height={28} label={homeWords.recordsInASecondLast} />
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
