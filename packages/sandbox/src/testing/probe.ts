/** Builds the probe's boot file and talks to it. */
import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerExit, WorkerLauncher, WorkerProcess } from '@millrace/engine';
import { buildSync } from 'esbuild';

export function buildProbe(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-probe-'));
  chmodSync(folder, 0o755);
  const outfile = path.join(folder, 'boot.js');
  buildSync({
    entryPoints: [fileURLToPath(new URL('./probe-boot.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    conditions: ['millrace-source'],
  });
  return outfile;
}

export interface Probe {
  readonly worker: WorkerProcess;
  readonly exit: Promise<WorkerExit>;
  /** Every text frame so far. */
  readonly heard: string[];
  /** Sends a command and gives the next answer, or the end of the worker as text. */
  ask(command: 'e' | 'r' | 's', text: string): Promise<string>;
}

export async function openProbe(launcher: WorkerLauncher, memoryMb = 128): Promise<Probe> {
  const worker = await launcher.launch({ name: 'probe', memoryMb });
  const heard: string[] = [];
  let answer: ((text: string) => void) | undefined;
  let end: WorkerExit | undefined;
  worker.onFrame((frame) => {
    const text = Buffer.from(frame).toString();
    heard.push(text);
    if (text !== 'started') answer?.(text);
  });
  const exit = new Promise<WorkerExit>((resolve) =>
    worker.onExit((ended) => {
      resolve(ended);
      end = ended;
      answer?.(describe(ended));
    }),
  );
  const ask = (command: string, text: string) =>
    new Promise<string>((resolve) => {
      if (end) return resolve(describe(end));
      answer = resolve;
      worker.send(Buffer.from(command + text));
    });
  return { worker, exit, heard, ask };
}

function describe(end: WorkerExit): string {
  return `ended: ${end.signal ?? end.code} (${end.reason ?? 'no reason'}) ${end.stderr}`;
}
