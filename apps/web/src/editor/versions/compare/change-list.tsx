import { ArrowLeft } from 'lucide-react';
import { compareWords as words } from '../../../text/strings/compare.ts';
import { changeWords } from '../../../text/strings/versions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChangeBadge } from './change-badge.tsx';
import styles from './change-list.module.css';
import { type ComparedNode, type Comparison, countKinds } from './compare-graphs.ts';
import { DifferenceView } from './difference-view.tsx';
import { fileDifference, nodeDifference } from './node-difference.ts';
import type { VersionGraph } from './version-graph.ts';

export interface ChangeListProps {
  readonly before: VersionGraph;
  readonly after: VersionGraph;
  readonly comparison: Comparison;
  /** A node, or the path of a shared file. */
  readonly picked: string | undefined;
  readonly onPick: (of: string | undefined) => void;
}

/** All that differs, a line each; of what was picked its settings and code, side by side. */
export function ChangeList({ before, after, comparison, picked, onPick }: ChangeListProps) {
  const node = comparison.nodes.find(({ id }) => id === picked);
  const path = comparison.files.find((file) => file === picked);
  if (node === undefined && path === undefined) return <Summary comparison={comparison} onPick={onPick} />;
  const difference =
    node !== undefined
      ? nodeDifference(before, after, node.id)
      : { settings: [], files: [fileDifference(before, after, path ?? '')] };
  return (
    <section className={styles.one} aria-label={node?.name ?? path}>
      <header className={styles.head}>
        <Button size="small" look="quiet" flush icon={ArrowLeft} onClick={() => onPick(undefined)}>
          {words.all}
        </Button>
        <strong className={styles.name}>{node?.name ?? path}</strong>
        {node !== undefined && <ChangeBadge kind={node.kind} isRenamed={node.isRenamed} />}
      </header>
      <DifferenceView key={picked} difference={difference} />
    </section>
  );
}

function Summary({ comparison, onPick }: Pick<ChangeListProps, 'comparison' | 'onPick'>) {
  const { nodes, files, same } = comparison;
  const counts = countKinds(comparison);
  const changed = nodes
    .filter(({ kind, isRenamed }) => kind !== 'kept' || isRenamed)
    .sort(({ box: a }, { box: b }) => a.x - b.x || a.y - b.y);
  const told = (['new', 'removed', 'changed', 'renamed'] as const).filter((kind) => counts[kind] > 0);
  return (
    <section className={styles.summary} aria-label={words.summary}>
      <header className={styles.head}>
        <strong>{words.summary}</strong>
        <span className={styles.counts}>
          {same ? words.same : told.map((kind) => `${counts[kind]} ${words.kinds[kind]}`).join(' · ')}
        </span>
      </header>
      <ul className={styles.list}>
        {changed.map((node) => (
          <li key={node.id}>
            <button type="button" className={styles.row} onClick={() => onPick(node.id)}>
              <span className={styles.kind}>
                <ChangeBadge kind={node.kind} isRenamed={node.isRenamed} bare />
              </span>
              <span className={styles.name}>{node.name}</span>
              <span className={styles.what}>{whatOf(node)}</span>
            </button>
          </li>
        ))}
        {files.map((path) => (
          <li key={path}>
            <button type="button" className={styles.row} onClick={() => onPick(path)}>
              <span className={styles.kind}>
                <Badge bare>{words.sharedFile}</Badge>
              </span>
              <span className={styles.name}>{path}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whatOf({ kind, aspects, isRenamed, nameBefore }: ComparedNode): string {
  const parts = [
    isRenamed && nameBefore !== undefined ? words.renamedFrom(nameBefore) : '',
    kind === 'changed' ? changeWords(aspects) : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
