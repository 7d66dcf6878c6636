/**
 * A data plane for tests. A frame is a command in its first byte: `e` sends the rest back; `r` runs the rest as
 * a module and sends `ok: <what its default export returned>` or `error: <message>`; `s` sends that many bytes.
 */
import type { CreateWorker } from '../boot/boot-worker.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const createProbeWorker: CreateWorker = (ports) => {
  const say = (text: string) => ports.post(encoder.encode(text));
  const run = async (code: string) => {
    try {
      const module = (await ports.loadModule(code)) as { default: () => unknown };
      say('started');
      say(`ok: ${String(await module.default())}`);
    } catch (error) {
      say(`error: ${String(error)}`);
    }
  };
  return {
    receive(frame) {
      const text = () => decoder.decode(frame.subarray(1));
      if (frame[0] === 0x65) ports.post(frame.subarray(1));
      else if (frame[0] === 0x72) void run(text());
      else if (frame[0] === 0x73) ports.post(new Uint8Array(Number(text())));
    },
  };
};
