import { describe, expect, it } from 'vitest';
import { connectorContext } from '../../test/contexts.ts';
import { hostMetricsInjector } from './injector.ts';
import { parseDiskStats, parseNetDev } from './sample.ts';

describe('injector/host-metrics', () => {
  it('P4: emits whole JSON lines whose offsets run on from where the last run was committed', async () => {
    const stop = new AbortController();
    const { partitions } = await hostMetricsInjector.open({ every: '20ms' }, connectorContext('/'));
    let position = 700;
    let samples = 0;
    for await (const chunk of partitions[0]!.read(position, stop.signal)) {
      if (chunk.kind !== 'bytes') {
        expect(chunk.kind).toBe('idle');
        continue;
      }
      expect(chunk.offset).toBe(position);
      position += chunk.bytes.length;
      const text = new TextDecoder().decode(chunk.bytes);
      expect(text.endsWith('}\n')).toBe(true);
      const sample = JSON.parse(text);
      expect(sample.cpu.busy).toBeGreaterThanOrEqual(0);
      expect(sample.cpu.busy).toBeLessThanOrEqual(1);
      expect(sample.memory.totalBytes).toBeGreaterThan(0);
      if (++samples === 3) stop.abort();
    }
    expect(samples).toBe(3);
  });

  it('counts whole disks once and leaves the loopback out', () => {
    const disks = ` 8 0 sda 10 0 100 0 5 0 50 0 0 0 0\n 8 1 sda1 10 0 100 0 5 0 50 0 0 0 0\n 259 0 nvme0n1 1 0 2 0 1 0 4 0 0 0 0\n 7 0 loop0 9 9 9 9 9 9 9 9\n`;
    expect(parseDiskStats(disks)).toEqual([102 * 512, 54 * 512]);
    const net = `Inter-| Receive\n face |bytes\n    lo: 999 1 0 0 0 0 0 0 999 1\n  eth0: 100 1 0 0 0 0 0 0 200 1\nwlan0:5 1 0 0 0 0 0 0 6 1\n`;
    expect(parseNetDev(net)).toEqual([105, 206]);
    expect(parseNetDev(undefined)).toBeUndefined();
  });
});
