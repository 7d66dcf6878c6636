/** Entry of the worker that Monaco asks about TypeScript. */
import { initialize } from 'monaco-editor/languages/features/typescript/ts.worker';
import { PipelineWorker } from './pipeline-worker.ts';

self.onmessage = () => initialize((context, data) => new PipelineWorker(context, data));
