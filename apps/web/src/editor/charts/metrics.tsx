import { useMemo, useState } from 'react';
import { chartWords as words } from '../../text/strings/charts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import styles from './charts.module.css';
import { MetricChart } from './metric-chart.tsx';
import { chartsThatShow, curvesOf, type Subject } from './metric-charts.ts';
import { type Metrics as Loaded, RANGES, type RangeId, useMetrics } from './use-metrics.ts';

/** Numbers over time of what is selected; of the whole pipeline where nothing is. */
export function Metrics() {
  const { pipeline } = useEditor();
  const [range, setRange] = useState<RangeId>('quarter');
  const { subject, name } = useSubject();
  const of = 'id' in subject ? subject.id : subject.kind;
  const metrics = useMetrics(pipeline, range, of);
  // What was asked of something else stays until the new is here: it has no numbers of this.
  const isOther = metrics.kind === 'ready' && metrics.value.of !== of;
  return (
    <section aria-label={words.title}>
      <header className={styles.bar}>
        <h3>{name}</h3>
        <Segmented
          label={words.range}
          value={range}
          onChange={setRange}
          options={(Object.keys(RANGES) as RangeId[]).map((value) => ({ value, label: words.ranges[value] }))}
        />
      </header>
      <div>
        <LoadState of={isOther ? { kind: 'loading', reload: metrics.reload } : metrics} lines={2}>
          {(loaded) => <Charts loaded={loaded} subject={subject} name={name} />}
        </LoadState>
      </div>
    </section>
  );
}

interface ChartsProps {
  readonly loaded: Loaded;
  readonly subject: Subject;
  readonly name: string;
}

function Charts({ loaded, subject, name }: ChartsProps) {
  const { answer, range, deploys } = loaded;
  const curves = useMemo(() => curvesOf(answer, subject, RANGES[range].stepMs), [answer, subject, range]);
  if (answer.at.length === 0) return <EmptyState title={words.notYet}>{words.notYetAbout}</EmptyState>;
  const shown = chartsThatShow(curves, subject.kind);
  if (shown.length === 0) return <p className={styles.none}>{words.nothingOf(name)}</p>;
  return (
    <div className={styles.charts}>
      {shown.map((spec) => (
        <MetricChart
          key={`${subject.kind}${'id' in subject ? subject.id : ''}${spec.id}`}
          spec={spec}
          curves={curves}
          deploys={deploys}
        />
      ))}
    </div>
  );
}

function useSubject(): { readonly subject: Subject; readonly name: string } {
  const node = useEditorState(({ nodes }) => (nodes.size === 1 ? [...nodes][0] : undefined));
  const stream = useEditorState(({ streams }) => (streams.size === 1 ? [...streams][0] : undefined));
  const { nodes, streams } = useReading().pipeline;
  return useMemo(() => {
    const found = streams.get(stream ?? '');
    const nameOf = (id: string): string => nodes.get(id)?.name ?? id;
    if (node !== undefined) return { subject: { kind: 'node', id: node }, name: nameOf(node) };
    if (found !== undefined)
      return {
        subject: { kind: 'stream', id: found.id },
        name: `${nameOf(found.from[0])} → ${nameOf(found.to[0])}`,
      };
    return { subject: { kind: 'pipeline' }, name: words.ofPipeline };
  }, [node, stream, nodes, streams]);
}
