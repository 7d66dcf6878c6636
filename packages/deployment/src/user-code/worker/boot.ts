/** Entry of the worker that answers about user code; built self-contained into dist/user-code-boot.js. */
import { bootWorker } from '@millrace/sandbox/boot';
import { createUserCodeWorker } from './user-code-worker.ts';

bootWorker(createUserCodeWorker);
