import { expect, test } from 'vitest';
import { decodeView, encodeView, type ViewSource, viewTable } from './view-frame.ts';

const numbers = {
  in: 10,
  out: 9,
  inRate: 0.5,
  outRate: 0,
  deadLettered: 1,
  late: 2,
  droppedLate: 3,
  setAside: 4,
  waiting: 5,
  backlog: 6,
  busy: 0.25,
  lagMs: -7,
  workLagMs: undefined,
  countsCut: 0,
};
const source: ViewSource = {
  version: 3,
  at: 1_700_000_000_000.5,
  position: 2 ** 52,
  unfoldedBytes: 8,
  commits: { bundleRate: 1, p50Ms: undefined, p95Ms: 2 },
  nodes: [
    { ...numbers, node: 'n_a', name: 'a', kind: 'injector', watermark: { kind: 'at', time: -1 }, counts: {} },
    {
      ...numbers,
      node: 'n_b',
      name: 'b',
      kind: 'sink',
      watermark: { kind: 'idle', time: undefined },
      counts: { bids: 1.5 },
    },
  ],
  streams: [{ stream: 's_0', produced: 4, delivered: 3, inFlight: 1, rate: 0 }],
};

test('a frame read with its table is what was written; what is absent stays absent', () => {
  const table = viewTable(source);
  const view = decodeView(table, encodeView(table, source));
  const { version: _, nodes, ...rest } = source;
  expect(view).toEqual({ ...rest, nodes: nodes.map(({ name: _n, kind: _k, ...node }) => node) });
});

test('W4: every state of a watermark stays a word', () => {
  for (const watermark of [{ kind: 'not-yet' }, { kind: 'ended' }, { kind: 'idle', time: 5 }] as const) {
    const one = { ...source, nodes: source.nodes.map((node) => ({ ...node, watermark })) };
    const table = viewTable(one);
    expect(decodeView(table, encodeView(table, one))?.nodes[0]?.watermark).toEqual(watermark);
  }
});

test('a frame of another table is none', () => {
  const table = viewTable(source);
  expect(decodeView({ ...table, streams: [] }, encodeView(table, source))).toBeUndefined();
});
