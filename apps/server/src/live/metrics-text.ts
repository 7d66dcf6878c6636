/**
 * The text format of Prometheus. Label values are escaped, their number is bounded by what runs; what a pipeline
 * counts by names of its own has 64 of them a node at most.
 */
import type { PipelineProgress } from '@millrace/protocol/control';

export interface MetricsInput {
  readonly pipelines: readonly {
    readonly name: string;
    readonly state: string;
    readonly progress: PipelineProgress;
  }[];
  readonly process: {
    readonly uptimeSeconds: number;
    readonly cpuSeconds: number;
    readonly residentBytes: number;
  };
  readonly sockets: number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | undefined];
type Node = PipelineProgress['nodes'][number];

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NODE_METRICS: readonly {
  readonly name: string;
  readonly type: Metric['type'];
  readonly help: string;
  readonly of: (node: Node) => number | undefined;
}[] = [
  counter('records_in', 'Records delivered to the node.', (n) => n.in),
  counter('records_out', 'Records it has produced; of a sink, rows written.', (n) => n.out),
  counter('dead_letters', 'Records and timers it could not process.', (n) => n.deadLettered),
  counter('records_late', 'Records behind the watermark.', (n) => n.late),
  counter('records_dropped_late', 'Late records no window took.', (n) => n.droppedLate),
  counter('records_set_aside', 'Records kept from processing for a stated reason.', (n) => n.setAside),
  gauge('backlog_records', 'Records committed and not taken, or waiting in it.', (n) => n.backlog),
  gauge('waiting_records', 'Records held back in it.', (n) => n.waiting),
  gauge('busy_ratio', 'Share of its workers’ time it took.', (n) => n.busy),
  gauge('watermark_seconds', 'Its watermark; absent while it is no time.', (n) =>
    n.watermark.kind === 'at' ? n.watermark.time / 1000 : undefined,
  ),
  gauge('watermark_lag_seconds', 'How far its watermark is behind the clock.', (n) => seconds(n.lagMs)),
  gauge('work_lag_seconds', 'Age of its oldest unfinished work.', (n) => seconds(n.workLagMs)),
];

export function metricsText(input: MetricsInput): string {
  return [...ownMetrics(input), ...pipelineMetrics(input), ...nodeMetrics(input)]
    .filter(({ samples }) => samples.length > 0)
    .map(textOf)
    .join('');
}

function ownMetrics({ process, sockets }: MetricsInput): Metric[] {
  const one = (value: number): Sample[] => [[{}, value]];
  return [
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Of the server.',
      samples: one(process.cpuSeconds),
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Of the server.',
      samples: one(process.residentBytes),
    },
    {
      name: 'millrace_uptime_seconds',
      type: 'gauge',
      help: 'Since the server was started.',
      samples: one(process.uptimeSeconds),
    },
    {
      name: 'millrace_sockets',
      type: 'gauge',
      help: 'Pages and programs that watch.',
      samples: one(sockets),
    },
  ];
}

function pipelineMetrics({ pipelines }: MetricsInput): Metric[] {
  const of = (value: (progress: PipelineProgress) => number | undefined): Sample[] =>
    pipelines.map(({ progress }) => [{ pipeline: progress.pipeline }, value(progress)]);
  return [
    {
      name: 'millrace_pipeline_info',
      type: 'gauge',
      help: 'Name, version and state of a pipeline that runs.',
      samples: pipelines.map(({ name, state, progress }) => [
        { pipeline: progress.pipeline, name, state, version: String(progress.version) },
        1,
      ]),
    },
    {
      name: 'millrace_unfolded_bytes',
      type: 'gauge',
      help: 'In the log and not yet in pages.',
      samples: of((p) => p.unfoldedBytes),
    },
    {
      name: 'millrace_bundles_per_second',
      type: 'gauge',
      help: 'Committed bundles.',
      samples: of((p) => p.commits.bundleRate),
    },
    {
      name: 'millrace_commit_seconds',
      type: 'gauge',
      help: 'Time of the latest commits.',
      samples: pipelines.flatMap(({ progress: { pipeline, commits } }): Sample[] => [
        [{ pipeline, quantile: '0.5' }, seconds(commits.p50Ms)],
        [{ pipeline, quantile: '0.95' }, seconds(commits.p95Ms)],
      ]),
    },
  ];
}

function nodeMetrics({ pipelines }: MetricsInput): Metric[] {
  const nodes = pipelines.flatMap(({ progress: { pipeline, nodes: all } }) =>
    all.map((node) => ({ node, labels: { pipeline, node: node.node, name: node.name } })),
  );
  return [
    ...NODE_METRICS.map(({ of, ...metric }) => ({
      ...metric,
      samples: nodes.map(({ node, labels }): Sample => [labels, of(node)]),
    })),
    {
      name: 'millrace_node_count',
      type: 'gauge',
      help: 'What the node counts by a name of its own.',
      samples: nodes.flatMap(({ node, labels }) =>
        Object.entries(node.counts).map(([count, sum]): Sample => [{ ...labels, count }, sum]),
      ),
    },
  ];
}

function counter(name: string, help: string, of: (node: Node) => number | undefined) {
  return { name: `millrace_node_${name}_total`, type: 'counter' as const, help, of };
}

function gauge(name: string, help: string, of: (node: Node) => number | undefined) {
  return { name: `millrace_node_${name}`, type: 'gauge' as const, help, of };
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.flatMap(([labels, value]) =>
    value === undefined ? [] : [`${name}${labelText(labels)} ${value}`],
  );
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string): string =>
  value
    .slice(0, 200)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n');
