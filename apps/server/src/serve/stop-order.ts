/** What was started is stopped in the opposite order, and one that fails keeps none of the others running. */
import type { Logger } from 'pino';

export interface StopOrder {
  add(name: string, stop: () => Promise<unknown> | unknown): void;
  /** Once; later calls wait for the same end. */
  stop(): Promise<void>;
}

export function stopOrder(log: Logger): StopOrder {
  const parts: { readonly name: string; readonly stop: () => Promise<unknown> | unknown }[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async () => {
    for (const { name, stop } of parts.reverse()) {
      try {
        await stop();
      } catch (error) {
        log.error({ err: error }, `${name} did not stop in order`);
      }
    }
  };
  return {
    add: (name, stop) => void parts.push({ name, stop }),
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
