import { nodeTypes } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { connectors } from './index.ts';
import { connectorSpecs } from './specs.ts';

const valid: Record<string, Record<string, unknown>> = {
  'injector/file': { path: 'flights.jsonl', format: 'jsonl', timestamp: 'value.at', slack: '30m' },
  'injector/file-table': { path: 'airlines.csv', format: 'csv', refresh: '1m' },
  'injector/postgres-table': { table: 'public.airlines', columns: ['code'], refresh: '1m' },
  'injector/generator': { value: '{ n }', rate: 'max', count: 10 },
  'injector/interval': { every: '250ms' },
  'injector/host-metrics': {},
  'injector/http': { remember: '2d', timestamp: 'value.at' },
  'sink/file': { path: 'result.jsonl' },
  'sink/postgres': { table: 'flights' },
  'sink/http': { url: 'https://example.com/in' },
  'sink/discard': {},
};

describe('specs of the connectors', () => {
  it('each is registered once, and has an implementation of its kind', () => {
    expect(nodeTypes(connectorSpecs).size).toBeGreaterThan(connectorSpecs.length);
    for (const { type, kind } of connectorSpecs) {
      expect([type, connectors.injector(type) !== undefined]).toEqual([type, kind === 'injector']);
      expect([type, connectors.sink(type) !== undefined]).toEqual([type, kind === 'sink']);
    }
    expect(connectors.injector('__proto__')).toBeUndefined();
    expect(connectors.sink('constructor')).toBeUndefined();
  });

  it('G3: each takes its settings and refuses one it does not know', () => {
    expect(Object.keys(valid).sort()).toEqual(connectorSpecs.map(({ type }) => type).sort());
    for (const { type, config } of connectorSpecs) {
      expect([type, config.safeParse(valid[type]).error]).toEqual([type, undefined]);
      expect([type, config.safeParse({ ...valid[type], slak: '1s' }).success]).toEqual([type, false]);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['injector/file', { slack: '1 hour' }, 'is not a duration'],
    ['injector/file', { zone: 'Europe/Atlantis' }, 'not an IANA time zone'],
    ['injector/file', { idleTimeout: 'never' }, ''],
    ['injector/file', { format: 'csv', delimiter: '"' }, 'cannot be a quote'],
    ['injector/file', { format: 'csv', columns: { a: 'date' } }, ''],
    ['injector/file', { columns: { a: 'number' } }, 'only has a meaning where format is csv'],
    ['injector/file', { timestamp: ' ' }, 'is empty'],
    ['injector/file-table', { refresh: '50ms' }, 'is too short'],
    ['injector/file-table', { timestamp: 'value.at' }, 'timestamp'],
    ['injector/file-table', { format: 'jsonl', delimiter: ';' }, 'only has a meaning where format is csv'],
    ['injector/postgres-table', { refresh: '0s' }, 'is too short'],
    ['injector/postgres-table', { table: 'millrace.log' }, 'for Millrace itself'],
    ['injector/postgres-table', { columns: ['a', 'a'] }, 'names a column twice'],
    ['injector/postgres-table', { columns: [] }, ''],
    ['injector/postgres-table', { url: 'postgres://me:hunter2@db/x' }, 'holds a password'],
    ['injector/generator', { rate: 0 }, ''],
    ['injector/generator', { rate: Number.NaN }, ''],
    ['injector/generator', { count: 1.5 }, ''],
    ['injector/http', { watermark: 'exact' }, 'watermark'],
    ['injector/http', { remember: '1 day' }, 'is not a duration'],
    ['injector/interval', { every: '0s' }, 'must be longer than nothing'],
    ['sink/file', { existing: 'delete' }, ''],
    ['sink/postgres', { mode: 'merge' }, ''],
    ['sink/postgres', { columns: {} }, 'names no column'],
    ['sink/postgres', { columns: { a: { from: 'value.a\0b' } } }, 'holds a zero byte'],
    ['sink/postgres', { url: { secret: '' } }, ''],
    ['sink/postgres', { url: 'postgres://me:hunter2@db/x' }, 'holds a password'],
    ['sink/postgres', { url: 'postgres://db/x?password=hunter2' }, 'holds a password'],
    ['sink/http', { url: 'ftp://x/' }, 'is not an address'],
    ['sink/http', { url: 'https://me:hunter2@x/' }, 'holds a user or password'],
    ['sink/http', { size: 5 }, 'only has a meaning'],
    ['sink/http', { headers: { Authorization: 'Bearer hunter2' } }, 'must be { \\"secret\\": name }'],
    ['sink/http', { headers: { 'X-Api-Key': 'hunter2' } }, 'carries a credential'],
    ['sink/http', { headers: { Host: 'evil' } }, 'is a header that is set by itself'],
    ['sink/http', { headers: { 'a b': 'x' } }, 'is not the name of a header'],
    ['sink/http', { headers: { 'X-A': 'b\r\nX-C: d' } }, 'holds a character that headers cannot'],
    ['sink/http', { headers: { a: '1', A: '2' } }, 'is named twice'],
    ['sink/http', { timeout: '0s' }, 'must be longer than nothing'],
  ])('G3: %s refuses %j', (type, change, message) => {
    const spec = connectorSpecs.find((each) => each.type === type);
    const result = spec?.config.safeParse({ ...valid[type], ...change });
    expect(result?.success).toBe(false);
    expect(JSON.stringify(result?.error?.issues)).toContain(message);
  });
});
