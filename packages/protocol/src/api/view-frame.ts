/**
 * A running pipeline's numbers as a page gets them many times a second: 64-bit floats in the order of a table that
 * is sent once. Runs in the browser too.
 *
 *   head          at · position · unfolded bytes · bundles/s · p50 ms · p95 ms
 *   of each node  the fields of `NODE_FIELDS`, then the sums of its named counts
 *   of each stream  the fields of `STREAM_FIELDS`
 *
 * What is absent is NaN; a watermark is a kind (`WATERMARKS`) and a time, so that its words stay words (W4).
 */

export interface ViewTable {
  readonly version: number;
  readonly nodes: readonly {
    readonly node: string;
    readonly name: string;
    readonly kind: 'injector' | 'computation' | 'sink';
    /** Names counted with `ctx.count`. */
    readonly counts: readonly string[];
  }[];
  readonly streams: readonly string[];
}

export type ViewWatermark =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'at'; readonly time: number }
  | { readonly kind: 'idle'; readonly time?: number | undefined }
  | { readonly kind: 'ended' };

export const NODE_FIELDS = [
  'in',
  'out',
  'inRate',
  'outRate',
  'deadLettered',
  'late',
  'droppedLate',
  'setAside',
  'waiting',
  'backlog',
  'busy',
  'lagMs',
  'workLagMs',
  'countsCut',
  'aheadMs',
] as const;
export const STREAM_FIELDS = ['produced', 'delivered', 'inFlight', 'rate'] as const;
const HEAD_FIELDS = ['at', 'position', 'unfoldedBytes'] as const;
const COMMIT_FIELDS = ['bundleRate', 'p50Ms', 'p95Ms'] as const;
const WATERMARKS = ['not-yet', 'at', 'idle', 'ended'] as const;

type Numbers<K extends string> = { readonly [Name in K]?: number | undefined };

export interface ViewNode extends Numbers<(typeof NODE_FIELDS)[number]> {
  readonly node: string;
  readonly watermark: ViewWatermark;
  readonly counts: Readonly<Record<string, number>>;
}
export interface ViewStream extends Numbers<(typeof STREAM_FIELDS)[number]> {
  readonly stream: string;
}
export interface View extends Numbers<(typeof HEAD_FIELDS)[number]> {
  readonly commits: Numbers<(typeof COMMIT_FIELDS)[number]>;
  /** In the order of the table. */
  readonly nodes: readonly ViewNode[];
  readonly streams: readonly ViewStream[];
}

/** What a table is made of. */
export interface ViewSource extends View {
  readonly version: number;
  readonly nodes: readonly (ViewNode & Pick<ViewTable['nodes'][number], 'name' | 'kind'>)[];
}

export function viewTable({ version, nodes, streams }: ViewSource): ViewTable {
  return {
    version,
    nodes: nodes.map(({ node, name, kind, counts }) => ({ node, name, kind, counts: Object.keys(counts) })),
    streams: streams.map(({ stream }) => stream),
  };
}

export function encodeView(table: ViewTable, view: View): Uint8Array<ArrayBuffer> {
  const numbers: number[] = [];
  const push = (value: number | undefined) => numbers.push(value ?? Number.NaN);
  for (const field of HEAD_FIELDS) push(view[field]);
  for (const field of COMMIT_FIELDS) push(view.commits[field]);
  table.nodes.forEach(({ counts }, i) => {
    const node = view.nodes[i];
    for (const field of NODE_FIELDS) push(node?.[field]);
    push(WATERMARKS.indexOf(node?.watermark.kind ?? 'not-yet'));
    push(node !== undefined && 'time' in node.watermark ? node.watermark.time : undefined);
    for (const name of counts) push(node?.counts[name]);
  });
  table.streams.forEach((_, i) => {
    for (const field of STREAM_FIELDS) push(view.streams[i]?.[field]);
  });
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((value, i) => {
    bytes.setFloat64(8 * i, value, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** Undefined when the frame was made for another table. */
export function decodeView(table: ViewTable, frame: Uint8Array): View | undefined {
  const bytes = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.byteLength !== 8 * lengthOf(table)) return undefined;
  let at = 0;
  const next = (): number | undefined => {
    const value = bytes.getFloat64(at, true);
    at += 8;
    return Number.isNaN(value) ? undefined : value;
  };
  const fields = <K extends string>(names: readonly K[]): Numbers<K> =>
    Object.fromEntries(names.map((name) => [name, next()])) as Numbers<K>;
  const head = fields(HEAD_FIELDS);
  const commits = fields(COMMIT_FIELDS);
  const nodes = table.nodes.map(({ node, counts }): ViewNode => {
    const numbers = fields(NODE_FIELDS);
    const watermark = watermarkOf(next(), next());
    return {
      node,
      ...numbers,
      watermark,
      counts: Object.fromEntries(counts.map((name) => [name, next() ?? 0])),
    };
  });
  const streams = table.streams.map((stream): ViewStream => ({ stream, ...fields(STREAM_FIELDS) }));
  return { ...head, commits, nodes, streams };
}

function lengthOf({ nodes, streams }: ViewTable): number {
  const counts = nodes.reduce((sum, node) => sum + node.counts.length, 0);
  return (
    HEAD_FIELDS.length +
    COMMIT_FIELDS.length +
    nodes.length * (NODE_FIELDS.length + 2) +
    counts +
    streams.length * STREAM_FIELDS.length
  );
}

function watermarkOf(code: number | undefined, time: number | undefined): ViewWatermark {
  const kind = WATERMARKS[code ?? 0] ?? 'not-yet';
  if (kind === 'at') return { kind, time: time ?? 0 };
  return kind === 'idle' ? { kind, time } : { kind };
}
