import type { Progress } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { nodeProgress, progressOf } from '../testing/progress-of.ts';
import { styleFor } from '../text/style.ts';
import { widthOf } from '../text/width.ts';
import { progressLine, progressLines, type View } from './progress-view.ts';

const now = Date.UTC(2026, 10, 29, 12, 4, 32, 800);
type Node = Progress['nodes'][number];

const node = (name: string, more: Partial<Node> = {}): Node => nodeProgress({ name, ...more });

const progress: Progress = progressOf(
  [
    node('flights', {
      kind: 'injector',
      in: 12_345,
      out: 12_345,
      inRate: 4_210,
      outRate: 4_210,
      watermark: { kind: 'ended' },
    }),
    node('count by hour', {
      in: 12_000,
      out: 7,
      inRate: 4_100,
      watermark: { kind: 'at', time: now - 1_800 },
      backlog: 345,
    }),
    node('result', { kind: 'sink', in: 7, inRate: 0.4, watermark: { kind: 'idle', time: undefined } }),
  ],
  1_250_000,
);

const view = (more: Partial<View> = {}): View => ({
  title: 'Flight delays',
  elapsedMs: 12_300,
  now,
  columns: 100,
  rows: 24,
  style: styleFor(false),
  ...more,
});

describe('progress on a terminal', () => {
  it('W4: shows rates, counts, backlog and the watermark of every node, its states as words', () => {
    expect(progressLines(progress, view())).toEqual([
      'Flight delays · 12.3 s · 4.2 k records/s · 1.3 MB to fold',
      'node               in     out  records/s  watermark                backlog',
      'flights        12,345  12,345      4.2 k  ended',
      'count by hour  12,000       7      4.1 k  12:04:31 · 1.8 s behind      345',
      'result              7       0        0.4  idle',
    ]);
  });

  it('W4: a watermark that is not there yet is said to be so, and one of the past has its date', () => {
    const past = node('b', { watermark: { kind: 'at', time: Date.UTC(2001, 0, 10, 18, 20) } });
    const before = node('c', { watermark: { kind: 'at', time: -1 } });
    const text = progressLines(progressOf([node('a'), past, before]), view()).join('\n');
    expect(text).toContain('not yet');
    expect(text).toContain('2001-01-10 18:20:00');
    expect(text).toContain('1969-12-31 23:59:59');
    expect(text).not.toContain('behind');
  });

  it.each([80, 60, 40, 30, 20, 12])('fits %i columns, also with wide characters in names', (columns) => {
    const wide = {
      ...progress,
      nodes: [...progress.nodes, node('航班延误航班延误航班延误航班延误', { in: 5 })],
    };
    const lines = progressLines(wide, view({ columns }));
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });

  it('leaves out the least important columns first', () => {
    const titles = progressLines(progress, view({ columns: 60 }))[1];
    expect(titles).toContain('watermark');
    expect(titles).not.toContain('out');
  });

  it('never has more lines than the terminal and says how many nodes are not shown', () => {
    const nodes = Array.from({ length: 50 }, (_, at) => node(`node ${at}`));
    const lines = progressLines(progressOf(nodes), view({ rows: 10 }));
    expect(lines.length).toBeLessThan(10);
    expect(lines.at(-1)).toBe('… and 45 more nodes');
  });

  it('does not obey an escape sequence in a name', () => {
    const lines = progressLines(progressOf([node('a\u001b[2J\nb')]), view());
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('colours nothing without colour and something with it', () => {
    expect(progressLines(progress, view()).join('')).not.toContain('\u001b');
    expect(progressLines(progress, view({ style: styleFor(true) }))[0]).toContain('\u001b[1m');
  });
});

describe('progress in a log', () => {
  it('is one line', () => {
    expect(progressLine(progress, view())).toBe(
      '12.3 s: 4.2 k records/s · watermark idle · backlog 345 (count by hour 345) · 1.3 MB to fold',
    );
  });
});
