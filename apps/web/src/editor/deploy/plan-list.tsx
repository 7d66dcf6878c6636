import { ChevronDown, ChevronRight, Equal, Minus, Pencil, Plus, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCount } from '../../text/format-number.ts';
import { deployWords } from '../../text/strings/deploy.ts';
import { changeWords } from '../../text/strings/versions.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { useReading } from '../editor-context.tsx';
import { outlineRows } from '../outline/outline-rows.ts';
import { DifferenceView } from '../versions/compare/difference-view.tsx';
import { nodeDifference } from '../versions/compare/node-difference.ts';
import styles from './plan-list.module.css';
import type { Plan } from './use-deploy.ts';
import { type PlanGraphs, usePlanGraphs } from './use-plan-graphs.ts';

type NodePlan = Plan['nodes'][number];

const { plan: words, dialog } = deployWords;
const LOOKS = {
  incompatible: { icon: TriangleAlert, tone: 'error' },
  removed: { icon: Minus, tone: 'error' },
  changed: { icon: Pencil, tone: 'warn' },
  new: { icon: Plus, tone: 'ok' },
  kept: { icon: Equal, tone: 'neutral' },
} as const satisfies Record<NodePlan['kind'], { icon: typeof Plus; tone: Tone }>;

/** What a deploy does to every node, as the graph is read; what stays is told when asked for. */
export function PlanList({ plan }: { readonly plan: Plan }) {
  const graphs = usePlanGraphs(plan);
  const along = useAlongFlow();
  const sorted = [...plan.nodes].sort((a, b) => along(a.id) - along(b.id));
  const [kept, others] = [
    sorted.filter(({ kind }) => kind === 'kept'),
    sorted.filter(({ kind }) => kind !== 'kept'),
  ];
  const [isOpen, setOpen] = useState(others.length === 0);
  return (
    <ul className={styles.list} aria-label={words.label}>
      {others.map((node) => (
        <Row key={node.id} node={node} graphs={graphs} />
      ))}
      {kept.length > 0 && (
        <li>
          <button
            type="button"
            className={styles.more}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
            {dialog.kept(kept.length)}
          </button>
        </li>
      )}
      {isOpen && kept.map((node) => <Row key={node.id} node={node} graphs={graphs} />)}
    </ul>
  );
}

/** As the draft is read, from left to right; what is not in it any more comes last. */
function useAlongFlow(): (node: string) => number {
  const reading = useReading();
  return useMemo(() => {
    const ungrouped = { ...reading, layout: { ...reading.layout, nodes: new Map() } };
    const rows = outlineRows(ungrouped, new Set(reading.pipeline.nodes.keys()));
    const places = new Map(rows.map(({ id }, i) => [id, i]));
    return (node) => places.get(node) ?? rows.length;
  }, [reading]);
}

interface RowProps {
  readonly node: NodePlan;
  readonly graphs: ReturnType<typeof usePlanGraphs>;
}

function Row({ node, graphs }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { icon, tone } = LOOKS[node.kind];
  const hasMore = node.changes.length > 0;
  return (
    <li className={styles.row}>
      <span className={styles.kind}>
        <Badge bare icon={icon} tone={tone}>
          {words.kinds[node.kind]}
        </Badge>
      </span>
      <div className={styles.about}>
        <span className={styles.name}>{node.name}</span>
        {node.note !== '' && <span className={styles.note}>{node.note}</span>}
        {hasMore && (
          <button
            type="button"
            className={styles.changes}
            aria-expanded={isOpen}
            aria-label={dialog.changesOf(node.name)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
            {changeWords(node.changes)}
          </button>
        )}
      </div>
      {node.stored !== null && <span className={styles.counts}>{countsOf(node.stored)}</span>}
      {isOpen && (
        <div className={styles.difference}>
          <LoadState of={graphs} lines={1}>
            {({ before, after }: PlanGraphs) => (
              <DifferenceView difference={nodeDifference(before, after, node.id)} />
            )}
          </LoadState>
        </div>
      )}
    </li>
  );
}

function countsOf({ keys, timers, inFlight, complete }: NonNullable<NodePlan['stored']>): string {
  const parts = [
    keys > 0 && words.key(formatCount(keys), keys === 1),
    timers > 0 && words.timer(formatCount(timers), timers === 1),
    inFlight > 0 && words.waiting(formatCount(inFlight)),
  ].filter((part) => part !== false);
  if (parts.length === 0) return words.nothingStored;
  return (complete ? '' : words.atLeast) + parts.join(' · ');
}
