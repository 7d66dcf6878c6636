/**
 * The picture of a graph on a card: where its nodes stand, in the proportions of the canvas, and the streams
 * between them. Reading is total: a draft may be anything. A graph nobody arranged is laid out in ranks.
 */

export type PictureKind = 'injector' | 'computation' | 'operator' | 'sink';

export interface PictureNode {
  readonly kind: PictureKind;
  /** Its middle, in canvas units. */
  readonly x: number;
  readonly y: number;
}

export interface Picture {
  readonly nodes: readonly PictureNode[];
  /** By the numbers of their nodes in the list. */
  readonly streams: readonly { readonly from: number; readonly to: number }[];
}

/** A node's size on the canvas: layouts give its corner. */
const NODE_WIDTH = 200;
const NODE_HEIGHT = 64;
/** More would be dust on a card; the first ones give the shape. */
const MOST_NODES = 500;
const RANK_GAP = 300;
const ROW_GAP = 110;

type Json = Readonly<Record<string, unknown>>;
type Point = readonly [x: number, y: number];
type Ends = { readonly from: string; readonly to: string };

export function pictureOf(files: ReadonlyMap<string, string>): Picture {
  const pipeline = parse(files.get('pipeline.json'));
  const kinds = new Map(
    Object.entries(member(pipeline, 'nodes'))
      .slice(0, MOST_NODES)
      .map(([id, node]) => [id, kindOf(node)]),
  );
  const ids = [...kinds.keys()];
  const ends = Object.values(member(pipeline, 'streams'))
    .map((stream) => ({ from: endOf(stream, 'from'), to: endOf(stream, 'to') }))
    .filter(({ from, to }) => kinds.has(from) && kinds.has(to));
  const places = placesOf(parse(files.get('layout.json')), ids, ends);
  const numbers = new Map(ids.map((id, i) => [id, i]));
  return {
    nodes: [...kinds].map(([id, kind]) => {
      const [x, y] = places.get(id) ?? [0, 0];
      return { kind, x, y };
    }),
    streams: ends.map(({ from, to }) => ({ from: numbers.get(from)!, to: numbers.get(to)! })),
  };
}

function placesOf(layout: Json, ids: readonly string[], ends: readonly Ends[]): Map<string, Point> {
  const stored = member(layout, 'nodes');
  const known = new Map(
    ids.flatMap((id) => {
      const at = (stored[id] as Json | undefined)?.at;
      return isPoint(at) ? [[id, [at[0] + NODE_WIDTH / 2, at[1] + NODE_HEIGHT / 2] as Point] as const] : [];
    }),
  );
  return known.size === ids.length ? known : ranked(ids, ends);
}

/** Left to right by the longest way from a source; within a rank in the order of who feeds it. */
function ranked(ids: readonly string[], ends: readonly Ends[]): Map<string, Point> {
  const rank = new Map(ids.map((id) => [id, 0]));
  // A cycle would push ranks for ever; a graph has at most as many ranks as nodes.
  for (let round = 0; round < ids.length; round += 1) {
    let isSettled = true;
    for (const { from, to } of ends) {
      const next = Math.min(rank.get(from)! + 1, ids.length - 1);
      if (from === to || next <= rank.get(to)!) continue;
      rank.set(to, next);
      isSettled = false;
    }
    if (isSettled) break;
  }
  const places = new Map<string, Point>();
  for (let at = 0; at <= Math.max(0, ...rank.values()); at += 1) {
    const row = ids.filter((id) => rank.get(id) === at);
    const pull = new Map(
      row.map((id) => [id, mean(ends.filter((e) => e.to === id).map((e) => places.get(e.from)?.[1] ?? 0))]),
    );
    row.sort((a, b) => pull.get(a)! - pull.get(b)!);
    row.forEach((id, i) => void places.set(id, [at * RANK_GAP, (i - (row.length - 1) / 2) * ROW_GAP]));
  }
  return places;
}

function kindOf(node: unknown): PictureKind {
  const { type } = (node ?? {}) as { type?: unknown };
  const family = typeof type === 'string' ? type.split('/')[0] : '';
  return family === 'injector' || family === 'operator' || family === 'sink' ? family : 'computation';
}

function endOf(stream: unknown, side: 'from' | 'to'): string {
  const end = ((stream ?? {}) as Json)[side];
  return Array.isArray(end) ? String(end[0]) : '';
}

function parse(text: string | undefined): Json {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

function member(json: Json, name: string): Json {
  const value = json[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
