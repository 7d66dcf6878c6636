/** A chart drawn by uPlot in the page's own colours. Only here is uPlot imported. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { tokenColour } from '../../shell/theme.ts';
import { formatBytes, formatCount, formatRate } from '../../text/format-number.ts';
import { formatClock, formatMoment, formatSpan } from '../../text/format-time.ts';
import { chartWords as words } from '../../text/strings/charts.ts';
import type { ChartSpec, Unit } from './metric-charts.ts';
import { TICK_SPACE, timeTicks } from './time-ticks.ts';
import type { DeployMark } from './use-metrics.ts';

export type PlotData = [number[], ...(number | null)[][]];

export interface ChartMarks {
  readonly deploys: readonly DeployMark[];
}

const FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  rate: (value) => formatRate(rounded(value)),
  count: (value) => formatCount(rounded(value)),
  span: formatSpan,
  bytes: formatBytes,
};
const COLOURS = ['--accent', '--operator', '--sink'] as const;
export const HEIGHT = 116;
const FONT_PX = 11;
const DAY_S = 24 * 3_600;

export interface PlotOptions {
  readonly box: HTMLElement;
  readonly spec: ChartSpec;
  readonly data: PlotData;
  /** Read anew at each drawing. */
  readonly marks: { readonly current: ChartMarks };
}

export function plot({ box, spec, data, marks }: PlotOptions): uPlot {
  const format = FORMATS[spec.unit];
  const axis = {
    stroke: tokenColour('--text-faint'),
    font: fontAt(FONT_PX),
    grid: { stroke: tokenColour('--line'), width: 1 },
    ticks: { show: false },
  };
  const options: uPlot.Options = {
    width: Math.max(120, box.clientWidth),
    height: HEIGHT,
    // Half a time of the axis stands beyond its end.
    padding: [8, 26, 0, 0],
    cursor: { y: false, points: { size: 5 } },
    legend: { live: true },
    scales: { y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        space: TICK_SPACE,
        values: (_chart, splits, _axis, _space, step) => timeTicks(splits, step),
      },
      { ...axis, size: 56, gap: 4, space: 28, values: (_chart, splits) => splits.map(format) },
    ],
    series: [
      { label: words.time, value: (chart, at) => (at === null ? '–' : timeIn(chart, at)) },
      ...spec.measures.map((measure, i) => ({
        label: words.series[measure],
        stroke: tokenColour(COLOURS[i] ?? '--accent'),
        width: 1.5,
        points: { show: false },
        // Told apart without colour, too.
        ...(i > 0 && { dash: i === 1 ? [6, 3] : [2, 3] }),
        value: (_chart: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
    hooks: {
      draw: [(chart) => drawDeploys(chart, marks.current)],
      setData: [tellLatest],
      setCursor: [(chart) => chart.cursor.idx === null && tellLatest(chart)],
    },
  };
  return new uPlot(options, data, box);
}

/** Without the day where all is of one. */
function timeIn({ data: [at = []] }: uPlot, time: number): string {
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return span < DAY_S ? formatClock(time * 1_000) : formatMoment(time * 1_000);
}

/** What is told where nothing is pointed at. */
function tellLatest(chart: uPlot): void {
  const idx = (chart.data[0]?.length ?? 0) - 1;
  if (idx >= 0 && chart.cursor.idx == null) chart.setLegend({ idx }, false);
}

function drawDeploys(chart: uPlot, { deploys }: ChartMarks): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = tokenColour('--control-line');
  // As the axes have left it, it would be that of their labels.
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.font = fontAt(FONT_PX * devicePixelRatio);
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, version } of deploys) {
    const x = Math.round(chart.valToPos(at / 1_000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    drawLabel(chart, words.deployed(version), x);
  }
  ctx.restore();
}

/** Beside the line at `x`, on a ground of its own: a graph may run behind it. */
function drawLabel({ ctx, bbox }: uPlot, text: string, x: number): void {
  const [gap, height] = [3 * devicePixelRatio, 14 * devicePixelRatio];
  const width = ctx.measureText(text).width + 2 * gap;
  const fits = x + gap + width <= bbox.left + bbox.width;
  const left = fits ? x + gap : x - gap - width;
  ctx.fillStyle = tokenColour('--surface');
  ctx.fillRect(left, bbox.top, width, height);
  ctx.fillStyle = tokenColour('--text-soft');
  ctx.fillText(text, left + gap, bbox.top + height / 2);
}

const rounded = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

const fontAt = (px: number): string => `${px}px ${getComputedStyle(document.body).fontFamily}`;
