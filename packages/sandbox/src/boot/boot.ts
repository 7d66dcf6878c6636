/** Entry of a worker process; bundled with the engine's data plane into dist/boot.js. */
import { createWorker } from '@millrace/engine/worker';
import { bootWorker } from './boot-worker.ts';

bootWorker(createWorker);
