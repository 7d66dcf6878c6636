/** Where the system sets no limit on a process's memory, its resident size is looked at twice a second. */
import { execFile } from 'node:child_process';

const EVERY_MS = 500;

export function watchMemory(pid: number, limitMb: number, over: () => void): () => void {
  const timer = setInterval(() => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, output) => {
      if (!error && Number(output.trim()) > limitMb * 1024) over();
    });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
