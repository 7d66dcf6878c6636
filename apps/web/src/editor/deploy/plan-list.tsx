import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { Minus, Pencil, Plus, RefreshCcw, TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import styles from './deploy-dialog.module.css';

type Plan = AnswerOf<RouteOf<'deployments.plan'>>;
type NodePlan = Plan['nodes'][number];

const LOOKS = {
  new: { word: 'New', icon: Plus, tone: 'ok' },
  changed: { word: 'Changed', icon: Pencil, tone: 'warn' },
  incompatible: { word: 'Begins anew', icon: TriangleAlert, tone: 'error' },
  removed: { word: 'Removed', icon: Minus, tone: 'error' },
  kept: { word: 'Kept', icon: RefreshCcw, tone: 'neutral' },
} as const satisfies Record<NodePlan['kind'], { word: string; icon: typeof Plus; tone: Tone }>;

const ORDER = Object.keys(LOOKS);

/** What a deploy does to every node; what matters most comes first. */
export function PlanList({ plan }: { readonly plan: Plan }) {
  const nodes = [...plan.nodes].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return (
    <ul className={styles.list} aria-label="Plan">
      {nodes.map((node) => {
        const { word, icon, tone } = LOOKS[node.kind];
        return (
          <li key={node.id} className={styles.row}>
            <span>
              <Badge bare icon={icon} tone={tone}>
                {word}
              </Badge>
            </span>
            <div>
              <div className={styles.name}>{node.name}</div>
              {node.changes.length > 0 && <div className={styles.note}>{node.changes.join(' · ')}</div>}
              {node.note !== '' && <div className={styles.note}>{node.note}</div>}
              {node.stored !== null && <div className={styles.counts}>{countsOf(node.stored)}</div>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function countsOf({ keys, timers, inFlight, complete }: NonNullable<NodePlan['stored']>): string {
  const least = complete ? '' : 'at least ';
  const parts = [
    [keys, 'key', 'keys'],
    [timers, 'timer', 'timers'],
    [inFlight, 'record in flight', 'records in flight'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  if (shown.length === 0) return 'nothing stored';
  return least + shown.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ');
}
