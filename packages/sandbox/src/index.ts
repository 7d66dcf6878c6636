export { createWorkerLauncher, type LauncherOptions } from './launcher.ts';
export { SandboxError } from './sandbox-error.ts';
