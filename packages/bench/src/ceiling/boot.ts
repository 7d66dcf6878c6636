/**
 * A process like a worker's that runs ceilings; bundled into dist/ceiling-boot.js and started by the sandbox's
 * own launcher, with its walls and its V8. Frames as a worker's: four bytes of length, then
 *   `c` a chunk to keep · `l` JSON `{ name, warmUpMs, measureMs }`, answered by the rate as text.
 */
import { type LoopName, runLoop } from './loops.ts';

interface Host {
  readonly stdin: { read(into: Uint8Array): Promise<number | null> };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
}

const { stdin, stdout } = (globalThis as unknown as { Deno: Host }).Deno;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const chunks: Uint8Array[] = [];

for (;;) {
  const header = await readExactly(4);
  if (header === undefined) break;
  const frame = await readExactly(new DataView(header.buffer).getUint32(0, true));
  if (frame === undefined) break;
  if (frame[0] === 0x63) chunks.push(frame.subarray(1));
  else answer(JSON.parse(decoder.decode(frame.subarray(1))) as LoopRequest);
}

interface LoopRequest {
  readonly name: LoopName;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

function answer({ name, warmUpMs, measureMs }: LoopRequest): void {
  const rate = runLoop(name, chunks, { warmUpMs, measureMs, now: () => performance.now() });
  const text = encoder.encode(String(rate));
  const frame = new Uint8Array(4 + text.length);
  new DataView(frame.buffer).setUint32(0, text.length, true);
  frame.set(text, 4);
  for (let at = 0; at < frame.length; ) at += stdout.writeSync(frame.subarray(at));
}

async function readExactly(length: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const count = await stdin.read(bytes.subarray(at));
    if (count === null) return undefined;
    at += count;
  }
  return bytes;
}
