import { useEffect, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { onThemeChange } from '../../shell/theme.ts';
import { chartWords as words } from '../../text/strings/charts.ts';
import styles from './charts.module.css';
import { type ChartMarks, HEIGHT, type PlotData, plot } from './draw-chart.ts';
import type { ChartSpec, Curves } from './metric-charts.ts';
import type { DeployMark } from './use-metrics.ts';

export interface MetricChartProps {
  readonly spec: ChartSpec;
  readonly curves: Curves;
  readonly deploys: readonly DeployMark[];
}

/** One chart; the curves it shows are told below it, with their values under the pointer. */
export function MetricChart({ spec, curves, deploys }: MetricChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const marks = useRef<ChartMarks>({ deploys });
  marks.current = { deploys };
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((count) => count + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const chart = plot({ box, spec, data: dataOf(spec, curves), marks });
    drawn.current = chart;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) chart.setSize({ width: entry.contentRect.width, height: HEIGHT });
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      chart.destroy();
      drawn.current = undefined;
    };
  }, [spec, theme]);
  useEffect(() => drawn.current?.setData(dataOf(spec, curves)), [spec, curves]);
  return (
    <figure className={styles.chart}>
      <figcaption>{words.charts[spec.id]}</figcaption>
      <div ref={place} className={styles.plot} />
    </figure>
  );
}

/** uPlot counts in seconds. */
const dataOf = ({ measures }: ChartSpec, { at, of }: Curves): PlotData => [
  at.map((time) => time / 1_000),
  ...measures.map((measure) => [...(of.get(measure) ?? at.map(() => null))]),
];
