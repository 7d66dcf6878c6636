/** Draws many streams at once on a canvas: a path for each look and width, so that the cost is in pixels only. */
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { bend } from './curve.ts';
import { drawFigures, type FigureColours, type Figures } from './draw-figures.ts';
import type { DrawnStream } from './drawn-streams.ts';
import type { Box } from './geometry.ts';
import { meets } from './sight.ts';
import { isTight, type StreamPlace } from './stream-places.ts';
import type { ZoomLevel } from './zoom-level.ts';

export interface StreamColours {
  readonly dry: string;
  readonly flow: string;
  readonly error: string;
  readonly label: string;
  readonly labelGround: string;
  readonly labelLine: string;
  readonly font: string;
  readonly figures: FigureColours;
}

export interface StreamScene {
  readonly streams: readonly DrawnStream[];
  /** Undefined while none was found for where the stream is now. */
  readonly placeOf: (stream: DrawnStream) => StreamPlace | undefined;
  /** Step of the width, 0 to 5, by the rate. */
  readonly stepOf: (id: string) => number;
  /** Undefined where nothing runs. */
  readonly figuresOf: (id: string) => Figures | undefined;
  /** Drawn by React Flow, in front: not here too. */
  readonly isElsewhere: (id: string) => boolean;
  readonly zoom: number;
  readonly level: ZoomLevel;
  /** What the canvas shows, in canvas units. */
  readonly area: Box;
  readonly colours: StreamColours;
}

const WIDTHS = [1.5, 1.5, 2, 3, 4, 5.5];
const LABEL_HEIGHT = 18;

/** The context is in canvas units already. */
export function drawStreams(context: CanvasRenderingContext2D, scene: StreamScene): void {
  const seen = scene.streams.filter(({ id, box }) => meets(grown(box), scene.area) && !scene.isElsewhere(id));
  const looks = Map.groupBy(seen, ({ id, isFaulty }) => (isFaulty ? 'error' : String(scene.stepOf(id))));
  for (const [look, streams] of looks) {
    const step = look === 'error' ? 0 : Number(look);
    context.beginPath();
    for (const { from, to } of streams) {
      const reach = bend(from, to);
      context.moveTo(from[0], from[1]);
      context.bezierCurveTo(from[0] + reach, from[1], to[0] - reach, to[1], to[0], to[1]);
    }
    const { colours } = scene;
    context.strokeStyle = look === 'error' ? colours.error : step === 0 ? colours.dry : colours.flow;
    // From afar a hair's breadth on the screen, else the far ones would vanish.
    context.lineWidth = Math.max(WIDTHS[step] ?? 1.5, 1 / scene.zoom);
    context.stroke();
  }
  if (scene.level !== 'near') return;
  drawKeys(context, scene, seen);
  drawFigures(context, seen, scene.placeOf, scene.figuresOf, scene.colours.figures);
}

function drawKeys(
  context: CanvasRenderingContext2D,
  { colours, placeOf }: StreamScene,
  streams: readonly DrawnStream[],
): void {
  context.font = colours.font;
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  for (const stream of streams) {
    const { name, keyBy } = stream;
    const written = name ?? (keyBy && words.by(keyBy.replace(/\s+/g, ' ')));
    const place = placeOf(stream);
    if (written === undefined || place?.label === undefined) continue;
    const [x, y] = place.at;
    const text = isTight(place.label, 'near') ? undefined : fitting(context, written, place.label - 12);
    const width = (text === undefined ? KEY_SIZE : context.measureText(text).width) + 12;
    context.beginPath();
    context.roundRect(x - width / 2, y - LABEL_HEIGHT / 2, width, LABEL_HEIGHT, LABEL_HEIGHT / 2);
    context.fillStyle = colours.labelGround;
    context.fill();
    context.strokeStyle = colours.labelLine;
    context.stroke();
    if (text === undefined) {
      drawKey(context, colours.label, [x, y]);
      continue;
    }
    context.fillStyle = colours.label;
    context.fillText(text, x - width / 2 + 6, y + 0.5);
  }
}

const KEY_SIZE = 12;
/** Lucide’s key, in a square of 24. */
const KEY =
  'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z';
let keyPath: Path2D | undefined;

/** Where words would be cut to a letter or two: there is a key. */
function drawKey(context: CanvasRenderingContext2D, colour: string, [x, y]: readonly [number, number]): void {
  keyPath ??= new Path2D(KEY);
  context.save();
  context.translate(x - KEY_SIZE / 2, y - KEY_SIZE / 2);
  context.scale(KEY_SIZE / 24, KEY_SIZE / 24);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.stroke(keyPath);
  context.restore();
}

const known = new Map<string, string>();

/** As much of a text as there is room for. */
function fitting(context: CanvasRenderingContext2D, text: string, room: number): string {
  const key = `${Math.round(room)} ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
  if (known.size > 2_000) known.clear();
  known.set(key, shown);
  return shown;
}

const grown = ({ x, y, width, height }: Box): Box => ({
  x: x - 8,
  y: y - 8,
  width: width + 16,
  height: height + 16,
});
