/** Draws rates, sparklines and backlogs of many streams on a canvas, as `stream-figures.tsx` shows those of a few. */
import type { DrawnStream } from './drawn-streams.ts';
import { figureOffsets, type StreamPlace } from './stream-places.ts';

export interface Figures {
  readonly rate: string;
  /** How many wait; undefined where none are worth a word. */
  readonly waiting: string | undefined;
  /** The same in words. */
  readonly waitingInWords: string | undefined;
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
const GLASS_SIZE = 10;
/** Lucide’s hourglass, in a square of 24. */
const GLASS =
  'M5 22h14M5 2h14M17 22v-4.172a2 2 0 0 0-.586-1.414L12 12l-4.414 4.414A2 2 0 0 0 7 17.828V22M7 2v4.172a2 2 0 0 0 .586 1.414L12 12l4.414-4.414A2 2 0 0 0 17 6.172V2';
let glassPath: Path2D | undefined;

/** `figuresOf` is asked for those alone that are given: the ones in sight. */
export function drawFigures(
  context: CanvasRenderingContext2D,
  streams: readonly DrawnStream[],
  placeOf: (stream: DrawnStream) => StreamPlace | undefined,
  figuresOf: (id: string) => Figures | undefined,
  colours: FigureColours,
): void {
  context.font = colours.font;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const sparks = new Path2D();
  for (const stream of streams) {
    const place = placeOf(stream);
    const figures = place === undefined || place.figures === 'none' ? undefined : figuresOf(stream.id);
    if (place === undefined || figures === undefined) continue;
    const offsets = figureOffsets(place, 'near');
    const [x, y] = place.at;
    if (place.figures !== 'rate')
      tracePath(sparks, figures.history, x - SPARK.width / 2, y + offsets.spark + SPARK.height + 1);
    const isFull = place.figures === 'full';
    if (isFull || figures.waiting === undefined)
      drawText(context, figures.rate, [x, y + offsets.rate], colours.rate, colours.ground);
    const waiting = isFull ? figures.waitingInWords : figures.waiting;
    if (waiting === undefined) continue;
    const top = y + (isFull ? offsets.waiting : offsets.rate);
    const width = drawText(context, waiting, [x + GLASS_SIZE / 2, top], colours.warn, colours.ground);
    drawGlass(context, colours.warn, [x - width / 2 - GLASS_SIZE / 2 + 1, top + 2]);
  }
  context.strokeStyle = colours.spark;
  context.lineWidth = 1.25;
  context.stroke(sparks);
  context.textAlign = 'start';
}

function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  [x, top]: readonly [number, number],
  colour: string,
  ground: string,
): number {
  const width = widthOf(context, text) + 4;
  context.fillStyle = ground;
  context.fillRect(x - width / 2, top, width, HEIGHT);
  context.fillStyle = colour;
  context.fillText(text, x, top + HEIGHT / 2);
  return width;
}

function drawGlass(
  context: CanvasRenderingContext2D,
  colour: string,
  [x, y]: readonly [number, number],
): void {
  glassPath ??= new Path2D(GLASS);
  context.save();
  context.translate(x, y);
  context.scale(GLASS_SIZE / 24, GLASS_SIZE / 24);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.stroke(glassPath);
  context.restore();
}

/** Of two seconds the higher one: hundreds of these are drawn at once. */
function tracePath(path: Path2D, history: readonly (number | null)[], left: number, bottom: number): void {
  const most = history.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
  if (most === 0) return;
  const step = SPARK.width / (history.length - 1);
  let isPenDown = false;
  for (let i = 0; i < history.length; i += 2) {
    const value = Math.max(history[i] ?? -1, history[i + 1] ?? -1);
    const [x, y] = [left + i * step, bottom - (value / most) * SPARK.height];
    if (value < 0) isPenDown = false;
    else if (isPenDown) path.lineTo(x, y);
    else {
      path.moveTo(x, y);
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
