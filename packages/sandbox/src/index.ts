export { processorTimeMs } from './launch/processor-time.ts';
export { createWorkerLauncher, type LauncherOptions } from './launcher.ts';
export { SandboxError } from './sandbox-error.ts';
