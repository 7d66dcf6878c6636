/** Measures a ceiling in a process of the sandbox (boot.ts), over chunks that lie in its memory. */
import { createWorkerLauncher } from '@millrace/sandbox';
import { builtFile } from '../run/built-file.ts';
import type { RecordChunks } from '../run/record-chunks.ts';
import type { LoopName } from './loops.ts';

export interface CeilingOptions {
  readonly loop: LoopName;
  readonly chunks: RecordChunks;
  /** How many chunks it goes round. */
  readonly count: number;
  readonly seconds: number;
}

/** Records per second. */
export async function measureCeiling({ loop, chunks, count, seconds }: CeilingOptions): Promise<number> {
  const launcher = createWorkerLauncher({ bootFile: builtFile('ceiling-boot.js') });
  try {
    const worker = await launcher.launch({ name: `ceiling ${loop}`, memoryMb: 512 });
    const rate = new Promise<number>((resolve, reject) => {
      worker.onFrame((frame) => resolve(Number(Buffer.from(frame).toString())));
      worker.onExit(({ reason, stderr }) => reject(new Error(`the ceiling ended: ${reason ?? stderr}`)));
    });
    // Awaited below; until then its failure is not a surprise of the process.
    rate.catch(() => undefined);
    for (let i = 0; i < count; i++) worker.send(Buffer.concat([Buffer.from('c'), chunks.chunk(i)]));
    const request = { name: loop, warmUpMs: seconds * 500, measureMs: seconds * 1000 };
    worker.send(Buffer.from(`l${JSON.stringify(request)}`));
    return await rate;
  } finally {
    await launcher.close();
  }
}
