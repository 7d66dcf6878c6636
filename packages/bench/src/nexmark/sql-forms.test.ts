/**
 * q1, q4, q6, q9 and q13 as the SQL suite asks them, where that is not what Beam's asks: made of operators alone, and
 * compared with what others found for a small set of events.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkFolder } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import { nodeTypes, readFolder } from '@millrace/graph';
import { expect, it } from 'vitest';
import { loadPipeline, playPipeline } from './play-pipeline.ts';
import { queryFiles } from './queries.ts';

const small = fileURLToPath(new URL('../../../../../shared/yardsticks/nexmark/small/', import.meta.url));
const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url));
const there = existsSync(small);

const operator = (name: string, type: string, config: object) => ({
  type: `operator/${type}`,
  name,
  config,
});
const all = (figures: object) => ({ window: { type: 'global' }, aggregates: figures });
const sink = (query: string) => ({ type: 'sink/file', name: query, config: { path: `${query}.jsonl` } });

const { n_events, n_auctions, n_bids } = (
  JSON.parse(queryFiles(samples, 'q9').get('pipeline.json') ?? '') as { nodes: Record<string, object> }
).nodes;

const nodes = {
  ...{ n_events, n_auctions, n_bids },
  n_euros: operator('in euros', 'map', {
    expression:
      '{ auction: value.auction, bidder: value.bidder, price: (value.price * 0.908).toFixed(3), ts: value.ts }',
  }),
  n_offers: operator('offers', 'intervalJoin', {
    lower: '0s',
    upper: '1d',
    join: '{ seller: left.seller, category: left.category, inTime: right.ts <= left.expires, bid: right }',
  }),
  n_intime: operator('in time', 'filter', { expression: 'value.inTime' }),
  n_highest: operator(
    'highest',
    'aggregate',
    all({
      // Of equal ones the first: their values are in the order of their fields.
      best: {
        type: 'topK',
        k: 1,
        by: 'value.bid.price',
        of: '{ at: value.bid.ts, price: value.bid.price, bidder: value.bid.bidder, auction: value.bid.auction, seller: value.seller, category: value.category }',
      },
    }),
  ),
  n_won: operator('won', 'flatMap', { expression: 'value.best' }),
  n_winners: operator('winners', 'map', {
    expression: '{ auction: value.auction, bidder: value.bidder, price: value.price, bid_ts: value.at }',
  }),
  n_average: operator('average', 'aggregate', all({ avg: { type: 'avg', of: 'value.price' } })),
  n_categories: operator('categories', 'map', {
    expression: '{ category: Number(record.key), avg: value.avg }',
  }),
  n_wins: operator(
    'wins',
    'aggregate',
    all({ all: { type: 'collect', of: '{ at: value.at, price: value.price }' } }),
  ),
  n_lastten: operator('last ten', 'flatMap', {
    expression: `[...value.all].sort((x, y) => x.at - y.at || y.price - x.price).map(({ at }, i, wins) => {
      const last = wins.slice(Math.max(0, i - 9), i + 1);
      return { seller: Number(record.key), bid_ts: at, avg: (last.reduce((sum, { price }) => sum + price, 0) / last.length).toFixed(6) };
    })`,
  }),
  n_side: {
    type: 'injector/file-table',
    name: 'side table',
    config: { path: 'side.jsonl', format: 'jsonl', type: '{ key: number; value: string }' },
  },
  n_beside: operator('beside', 'lookup', {
    join: '{ auction: left.auction, bidder: left.bidder, price: left.price, ts: left.ts, v: right.value }',
  }),
  n_q1: sink('q1'),
  n_q4: sink('q4'),
  n_q6: sink('q6'),
  n_q9: sink('q9'),
  n_q13: sink('q13'),
};

const wires: readonly (readonly [from: string, to: string, port: string, keyBy?: string])[] = [
  ['n_events', 'n_auctions', 'in'],
  ['n_events', 'n_bids', 'in'],
  ['n_bids', 'n_euros', 'in'],
  ['n_euros', 'n_q1', 'in'],
  ['n_auctions', 'n_offers', 'left', 'value.id'],
  ['n_bids', 'n_offers', 'right', 'value.auction'],
  ['n_offers', 'n_intime', 'in'],
  ['n_intime', 'n_highest', 'in'],
  ['n_highest', 'n_won', 'in'],
  ['n_won', 'n_winners', 'in'],
  ['n_winners', 'n_q9', 'in'],
  ['n_won', 'n_average', 'in', 'value.category'],
  ['n_average', 'n_categories', 'in'],
  ['n_categories', 'n_q4', 'in'],
  ['n_won', 'n_wins', 'in', 'value.seller'],
  ['n_wins', 'n_lastten', 'in'],
  ['n_lastten', 'n_q6', 'in'],
  ['n_bids', 'n_beside', 'left', 'value.auction % 10000'],
  ['n_side', 'n_beside', 'right', 'value.key'],
  ['n_beside', 'n_q13', 'in'],
];

const streams = Object.fromEntries(
  wires.map(([from, to, port, keyBy], i) => [
    `s_${i}`,
    { from: [from, 'out'], to: [to, port], ...(keyBy === undefined ? {} : { keyBy }) },
  ]),
);
const parameters = { slack: { type: 'duration', default: '0s' } };
const text = JSON.stringify({ format: 1, name: 'Nexmark in SQL', nodes, streams, parameters });
const folder = readFolder(new Map([['pipeline.json', text]]));

it('the SQL forms have no issues', async () => {
  expect(await checkFolder(folder, nodeTypes(connectorSpecs), { inProcess: true })).toEqual([]);
});

it.skipIf(!there)('q1, q4, q6, q9 and q13 as SQL asks them give what others found', async () => {
  const events = linesOf<{ readonly ts: number }>('events').map((value) => ({ value, timestamp: value.ts }));
  const side = Array.from({ length: 10_000 }, (_, key) => ({ key, value: String(key) }));
  const pipeline = await loadPipeline(folder);
  const sinks = playPipeline(pipeline, events, 60_000, new Map([['n_side', side]]));
  const found = (query: string) => (sinks.get(`n_${query}`) ?? []).map(({ value }) => value as Row);
  expect(sorted(found('q1'))).toEqual(sorted(linesOf('q1')));
  expect(sorted(found('q9'))).toEqual(sorted(linesOf('q9')));
  const categories = linesOf('q4').map(({ category, avg }) => ({ category, avg: Number(avg) }));
  expect(sorted(found('q4'))).toEqual(sorted(categories));
  expect(sorted(found('q6'))).toEqual(sorted(linesOf('q6_last10_desc')));
  expect(sorted(found('q13'))).toEqual(sorted(linesOf('q13_mod10000')));
});

type Row = Readonly<Record<string, unknown>>;

const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

function linesOf<T = Row>(name: string): T[] {
  return readFileSync(`${small}${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => JSON.parse(line) as T);
}
