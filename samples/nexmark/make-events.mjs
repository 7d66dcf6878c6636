// Writes events of Nexmark as JSON lines: node make-events.mjs COUNT [GROUP=1] [RATE=10000] [channels]
import { eventLine, nexmarkEvents } from '@millrace/bench';

const [count = 10_000, group = 1, rate = 10_000] = process.argv.slice(2, 5).map(Number);
const channels = process.argv.includes('channels');
for (const event of nexmarkEvents({ count, group, rate, channels })) {
  if (!process.stdout.write(`${eventLine(event)}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
}
