/** The machine a figure was measured on, and how busy it was. */
import os from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryMb: number;
  readonly node: string;
  readonly platform: string;
  /** Load average over one minute. */
  readonly load: number;
}

export function machine(): Machine {
  const processors = os.cpus();
  return {
    cores: processors.length,
    processor: processors[0]?.model ?? 'unknown',
    memoryMb: Math.round(os.totalmem() / 1048576),
    node: process.version,
    platform: `${os.platform()} ${os.release()}`,
    load: os.loadavg()[0] ?? 0,
  };
}
