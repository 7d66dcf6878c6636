import { flatMap, input } from '@millrace/sdk';
import type { Metric } from '#lib/metrics';
import type { Inputs } from './streams';

interface Reading {
  metric: Metric;
  reading: number;
}

/** One sample of the machine becomes a reading per metric; what the system does not tell gives none. */
export default flatMap(input<Inputs['samples']>(), ({ cpu, memory, disk, network }): Reading[] => {
  const free = memory.availableBytes ?? memory.freeBytes;
  const readings: Reading[] = [
    { metric: 'cpu', reading: cpu.busy },
    { metric: 'memory', reading: 1 - free / memory.totalBytes },
  ];
  if (disk !== null)
    readings.push({ metric: 'disk', reading: disk.readBytesPerSecond + disk.writtenBytesPerSecond });
  if (network !== null)
    readings.push({
      metric: 'network',
      reading: network.receivedBytesPerSecond + network.sentBytesPerSecond,
    });
  return readings;
});
