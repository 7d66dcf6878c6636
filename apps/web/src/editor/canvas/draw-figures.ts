/** Draws rates, sparklines and backlogs of many streams on a canvas, as `stream-figures.tsx` shows those of a few. */
import { middleOfCurve } from './curve.ts';
import type { DrawnStream } from './drawn-streams.ts';

export interface Figures {
  readonly rate: string;
  /** In words; undefined where nothing worth one waits. */
  readonly waiting: string | undefined;
  /** Oldest first. */
  readonly history: readonly (number | null)[];
}

export interface FigureColours {
  readonly spark: string;
  readonly rate: string;
  readonly ground: string;
  readonly warn: string;
  readonly font: string;
}

const SPARK = { width: 44, height: 11 } as const;
const HEIGHT = 14;

/** `figuresOf` is asked for those alone that are given: the ones in sight. */
export function drawFigures(
  context: CanvasRenderingContext2D,
  streams: readonly DrawnStream[],
  figuresOf: (id: string) => Figures | undefined,
  colours: FigureColours,
): void {
  context.font = colours.font;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.beginPath();
  for (const stream of streams) {
    const figures = figuresOf(stream.id);
    if (figures === undefined) continue;
    const [x, y] = middleOfCurve(stream);
    const away = (stream.keyBy ?? stream.name) === undefined ? 4 : 11;
    tracePath(context, figures.history, x - SPARK.width / 2, y - away);
    const width = widthOf(context, figures.rate) + 6;
    context.fillStyle = colours.ground;
    context.fillRect(x - width / 2, y + away, width, HEIGHT);
    context.fillStyle = colours.rate;
    context.fillText(figures.rate, x, y + away + HEIGHT / 2);
    if (figures.waiting === undefined) continue;
    context.fillStyle = colours.warn;
    context.fillText(figures.waiting, x, y + away + 1.5 * HEIGHT);
  }
  context.strokeStyle = colours.spark;
  context.lineWidth = 1.25;
  context.stroke();
  context.textAlign = 'start';
}

/** Of two seconds the higher one: hundreds of these are drawn at once. */
function tracePath(
  context: CanvasRenderingContext2D,
  history: readonly (number | null)[],
  left: number,
  bottom: number,
): void {
  const most = history.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
  if (most === 0) return;
  const step = SPARK.width / (history.length - 1);
  let isPenDown = false;
  for (let i = 0; i < history.length; i += 2) {
    const value = Math.max(history[i] ?? -1, history[i + 1] ?? -1);
    const [x, y] = [left + i * step, bottom - (value / most) * SPARK.height];
    if (value < 0) isPenDown = false;
    else if (isPenDown) context.lineTo(x, y);
    else {
      context.moveTo(x, y);
      isPenDown = true;
    }
  }
}

const known = new Map<string, number>();

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  const { width } = context.measureText(text);
  if (known.size > 2_000) known.clear();
  known.set(text, width);
  return width;
}
