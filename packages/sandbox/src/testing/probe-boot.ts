/** Entry of a worker that runs the probe; bundled by the tests. */
import { bootWorker } from '../boot/boot-worker.ts';
import { createProbeWorker } from './probe-worker.ts';

bootWorker(createProbeWorker);
