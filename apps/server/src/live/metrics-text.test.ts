import { expect, test } from 'vitest';
import { nodeOf, progressOf } from '../testing/fake-live-source.ts';
import { metricsText } from './metrics-text.ts';

const process = { uptimeSeconds: 5, cpuSeconds: 0.5, residentBytes: 1_000 };

test('says what a pipeline and its nodes do, and leaves out what is no number', () => {
  const progress = progressOf('p_one', {
    commits: { bundleRate: 20, p50Ms: 1.5 },
    nodes: [
      nodeOf('n_a', { in: 10, lagMs: 1_500, watermark: { kind: 'at', time: 9_000 }, counts: { bids: 3 } }),
      nodeOf('n_b', { watermark: { kind: 'ended' } }),
    ],
  });
  const lines = metricsText({
    process,
    sockets: 2,
    pipelines: [{ name: 'One', state: 'running', progress }],
  }).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE process_cpu_seconds_total counter',
      'process_cpu_seconds_total 0.5',
      'millrace_sockets 2',
      'millrace_pipeline_info{pipeline="p_one",name="One",state="running",version="1"} 1',
      'millrace_commit_seconds{pipeline="p_one",quantile="0.5"} 0.0015',
      'millrace_node_records_in_total{pipeline="p_one",node="n_a",name="n_a"} 10',
      'millrace_node_watermark_seconds{pipeline="p_one",node="n_a",name="n_a"} 9',
      'millrace_node_watermark_lag_seconds{pipeline="p_one",node="n_a",name="n_a"} 1.5',
      'millrace_node_count{pipeline="p_one",node="n_a",name="n_a",count="bids"} 3',
    ]),
  );
  expect(lines.filter((line) => line.startsWith('millrace_node_watermark_seconds{'))).toHaveLength(1);
  expect(lines.some((line) => line.includes('quantile="0.95"'))).toBe(false);
});

test('a name cannot break out of its label, nor be endless', () => {
  const name = `a"} 1\nevil{x="\\${'x'.repeat(500)}\ud800`;
  const progress = progressOf('p_one', { nodes: [nodeOf('n_a', { name })] });
  const text = metricsText({ process, sockets: 0, pipelines: [{ name, state: 'running', progress }] });
  const lines = text.trimEnd().split('\n');
  expect(
    lines.every((line) => /^# |^[a-z_]+(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)*\})? [\d.eE+-]+$/.test(line)),
  ).toBe(true);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600);
});
