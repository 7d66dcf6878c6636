/** What a worker is, a slot's or a spare, is the first thing it hears. */
import { decodeHostFrame } from '@millrace/protocol';
import { createDataPlane } from './data-plane.ts';
import { createSparePlane } from './spare-plane.ts';
import type { Worker, WorkerPorts } from './worker-ports.ts';

export function createWorker(ports: WorkerPorts): Worker {
  let worker: Worker | undefined;
  return {
    receive(bytes) {
      worker ??= isSpare(bytes) ? createSparePlane(ports) : createDataPlane(ports);
      worker.receive(bytes);
    },
    print: (level, parts) => worker?.print(level, parts),
  };
}

function isSpare(bytes: Uint8Array): boolean {
  const frame = decodeHostFrame(bytes);
  return frame.kind === 'configure' && frame.configuration.isSpare === true;
}
