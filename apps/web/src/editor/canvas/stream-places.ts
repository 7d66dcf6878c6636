/**
 * Where the key or name of a stream and its figures stand: on its line, and never on a node, a port, or on what is
 * written along another stream. First each stream gets a place for its rate, the shortest choosing first; then what
 * more it can tell where there is room. What finds no place is left out and told where the stream is pointed at. Sizes
 * are those of the widest words, so that a new number moves nothing. Canvas units; pure.
 */
import { BoxGrid } from './box-grid.ts';
import { type Curve, type Point, pointAt } from './curve.ts';
import type { DrawnStream } from './drawn-streams.ts';
import type { Box } from './geometry.ts';
import { LineGrid } from './line-grid.ts';

/**
 * Last minute, rate and what waits below it · last minute and rate, or in its place what waits · the rate or what
 * waits · nothing.
 */
export type FigureLayout = 'full' | 'short' | 'rate' | 'none';

/** Ends of the line it was found for: where that moved on, it holds no longer. */
export interface StreamPlace extends Curve {
  readonly at: Point;
  /** Level, the last minute stands on the line and the rate hangs below it; else the line passes behind both. */
  readonly isLevel: boolean;
  readonly figures: FigureLayout;
  /** Width of its key or name; as narrow as an icon where that is all there is room for. */
  readonly label: number | undefined;
}

/** From nearby, and from farther away, where words are larger and the last minute is not drawn. */
export type FigureZoom = 'near' | 'middle';

export interface Obstacles {
  /** Nothing may stand there. */
  readonly hard: readonly Box[];
  /** Better not: what is seen there now and then. */
  readonly soft: readonly Box[];
}

interface Sizes {
  readonly rate: Size;
  readonly spark: Size | undefined;
  readonly waiting: Size;
  readonly label: number;
  readonly icon: number;
  readonly letter: number;
}
type Size = readonly [width: number, height: number];

const SIZES: Readonly<Record<FigureZoom, Sizes>> = {
  near: { rate: [50, 15], spark: [44, 13], waiting: [84, 19], label: 18, icon: 26, letter: 6.4 },
  middle: { rate: [60, 18], spark: undefined, waiting: [112, 23], label: 22, icon: 30, letter: 8.6 },
};

/** Along the line, the middle first. */
const TRIED = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
const STEEP = 0.35;
const AROUND_LABEL = 14;
/** Below a level line and the ports at its ends: there is room for a rate in a narrow gap. */
const BELOW_PORTS = 5;
/** With less room a key would be cut to a letter: its icon says that there is one. */
export const LEAST_KEY = 72;
/** Two halves of ports, and a little air. */
const AT_ENDS = 14;
const MOST_LABEL = 280;
const PER_STEP = 2;
/** Over more lines than this nobody could tell whose last minute it is. */
const MOST_CROSSED = 1;

interface Choice {
  readonly label: number | undefined;
  readonly figures: FigureLayout;
}

export function streamPlaces(
  streams: readonly DrawnStream[],
  { hard, soft }: Obstacles,
  zoom: FigureZoom,
): ReadonlyMap<string, StreamPlace> {
  const sizes = SIZES[zoom];
  const taken = gridOf(hard);
  const avoided = gridOf(soft);
  const lines = new LineGrid(streams);
  const order = [...streams].sort((a, b) => lengthOf(a) - lengthOf(b));
  const places = new Map<string, StreamPlace>();
  for (const stream of order) {
    const costOf = (box: Box): number => lines.through(box, stream.id) + (avoided.meets(box) ? 1 : 0);
    const place = firstPlace(stream, sizes, taken, costOf);
    places.set(stream.id, place);
    for (const box of boxesOf(place, sizes)) taken.add(box);
  }
  for (const { id } of order) {
    const place = places.get(id);
    if (place?.figures !== 'rate') continue;
    const isFree = (box: Box): boolean => !taken.meets(box) && lines.through(box, id) <= MOST_CROSSED;
    const more = moreOf(place, sizes, isFree);
    if (more === undefined) continue;
    places.set(id, more);
    for (const box of addedTo(place, more, sizes)) taken.add(box);
  }
  return places;
}

/** The best place for the most it can have. */
function firstPlace(
  stream: DrawnStream,
  sizes: Sizes,
  taken: BoxGrid,
  costOf: (box: Box) => number,
): StreamPlace {
  for (const choice of choicesOf(stream, sizes)) {
    let best: { readonly cost: number; readonly place: StreamPlace } | undefined;
    for (const t of TRIED) {
      const away = PER_STEP * Math.abs(t - 0.5);
      if (best !== undefined && best.cost <= away) break;
      const place: StreamPlace = { ...on(stream, t), ...choice };
      const boxes = boxesOf(place, sizes);
      if (boxes.some((box) => taken.meets(box))) continue;
      const cost = away + boxes.reduce((sum, box) => sum + costOf(box), 0);
      if (best === undefined || cost < best.cost) best = { cost, place };
    }
    if (best !== undefined) return best.place;
  }
  // What is wrong is shown in any case.
  return { ...on(stream, 0.5), figures: 'none', label: stream.isFaulty ? sizes.icon : undefined };
}

function choicesOf(stream: DrawnStream, sizes: Sizes): readonly Choice[] {
  const label = labelOf(stream, sizes);
  if (stream.isOneOfMany) return label === undefined ? [] : [{ label, figures: 'none' }];
  if (label === undefined) return [{ label, figures: 'rate' }];
  const widths = [...new Set([label, sizes.icon])];
  return (['rate', 'none'] as const).flatMap((figures) => widths.map((width) => ({ label: width, figures })));
}

/** Undefined where there is nothing to write. */
function labelOf({ name, keyBy, isFaulty, from, to }: DrawnStream, sizes: Sizes): number | undefined {
  if (name === undefined && keyBy === undefined && !isFaulty) return undefined;
  const isNear = sizes.spark !== undefined;
  const text = name ?? (isNear && keyBy !== undefined ? `by ${keyBy}` : '');
  const icons = (isFaulty ? 1 : 0) + (keyBy === undefined ? 0 : 1);
  const wanted = AROUND_LABEL + 16 * icons + sizes.letter * text.length;
  const room = Math.max(sizes.icon, Math.abs(to[0] - from[0]) - AT_ENDS);
  if (wanted <= room) return Math.max(sizes.icon, wanted);
  return room < LEAST_KEY && name === undefined ? sizes.icon : Math.min(room, MOST_LABEL);
}

/** All that can stand around where its rate does. */
function moreOf(place: StreamPlace, sizes: Sizes, isFree: (box: Box) => boolean): StreamPlace | undefined {
  return (['full', 'short'] as const)
    .map((figures): StreamPlace => ({ ...place, figures }))
    .find((more) => addedTo(place, more, sizes).every(isFree));
}

const addedTo = (before: StreamPlace, more: StreamPlace, sizes: Sizes): readonly Box[] =>
  boxesOf(more, sizes).slice(boxesOf(before, sizes).length);

/** Upper edges of what is written, from the middle of the line. */
export function figureOffsets(place: Pick<StreamPlace, 'isLevel' | 'label'>, zoom: FigureZoom) {
  return offsetsOf(place, SIZES[zoom]);
}

function offsetsOf({ isLevel, label }: Pick<StreamPlace, 'isLevel' | 'label'>, sizes: Sizes) {
  const half = label === undefined ? 0 : sizes.label / 2 + 1;
  const sparkHeight = sizes.spark?.[1] ?? 0;
  const isOver = isLevel || label !== undefined;
  const rate = isOver ? half + (label === undefined ? BELOW_PORTS : 0) : -sizes.rate[1] / 2;
  const below = rate + sizes.rate[1];
  const spark = isOver ? -half - sparkHeight - 2 : below;
  return { rate, spark, waiting: isOver ? below : below + sparkHeight };
}

/** What it takes: label, rate, last minute, what waits, each as far as it has it. */
function boxesOf(place: StreamPlace, sizes: Sizes): readonly Box[] {
  const { at, label, figures } = place;
  const box = ([width, height]: Size, dy: number): Box => ({
    x: at[0] - width / 2,
    y: at[1] + dy,
    width,
    height,
  });
  const offsets = offsetsOf(place, sizes);
  return [
    ...(label === undefined ? [] : [box([label, sizes.label], -sizes.label / 2)]),
    ...(figures === 'none' ? [] : [box(sizes.rate, offsets.rate)]),
    ...(sizes.spark !== undefined && (figures === 'full' || figures === 'short')
      ? [box(sizes.spark, offsets.spark)]
      : []),
    ...(figures === 'full' ? [box(sizes.waiting, offsets.waiting)] : []),
  ];
}

/** What is taken of the canvas. */
export const placedBoxes = (place: StreamPlace, zoom: FigureZoom): readonly Box[] =>
  boxesOf(place, SIZES[zoom]);

/** Whether a label of this width is an icon only. */
export const isTight = (label: number, zoom: FigureZoom): boolean => label <= SIZES[zoom].icon;

/** The place of a stream, as long as it was found for where the stream is now. */
export function placeFor(place: StreamPlace | undefined, { from, to }: Curve): StreamPlace | undefined {
  if (place === undefined) return undefined;
  return isAt(place.from, from) && isAt(place.to, to) ? place : undefined;
}

const isAt = ([ax, ay]: Point, [bx, by]: Point): boolean => Math.abs(ax - bx) < 1 && Math.abs(ay - by) < 1;

function on({ from, to }: DrawnStream, t: number): Omit<StreamPlace, 'figures' | 'label'> {
  const [before, at, after] = [t - 0.04, t, t + 0.04].map((each) => pointAt(from, to, each)) as [
    Point,
    Point,
    Point,
  ];
  const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
  return { from, to, at, isLevel: Math.abs(dy) < STEEP * Math.abs(dx) };
}

function gridOf(boxes: readonly Box[]): BoxGrid {
  const grid = new BoxGrid();
  for (const box of boxes) grid.add(box);
  return grid;
}

const lengthOf = ({ from, to }: DrawnStream): number => Math.hypot(to[0] - from[0], to[1] - from[1]);
