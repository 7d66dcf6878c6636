/** Under which id a tab may edit a draft. The server hands them out and remembers whose they are. */
import type { Random } from '@millrace/graph';

/** Below these the server's own: who seeds or migrates a draft. */
export const SERVER_CLIENT_ID = 1;
const FIRST = 1_000;

/** 32 bits, as Yjs has them, and never one that was issued for this draft before. */
export function issueClientId(issued: ReadonlySet<number>, random: Random): number {
  for (;;) {
    const id = FIRST + Math.floor(random() * (2 ** 32 - FIRST));
    if (!issued.has(id)) return id;
  }
}
