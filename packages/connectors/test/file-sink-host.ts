/**
 * A host that only delivers: batches 1, 2, … to a file sink, with the mark in a file of its own, until it is
 * killed. Run as a process of its own by `file-sink-kill.test.ts`.
 */
import { existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { SinkContext, SinkMark } from '@millrace/engine';
import { fileSink } from '../src/file-sink/sink.ts';

const [folder = '', last = '0'] = process.argv.slice(2);
const markPath = `${folder}/mark.json`;

const context: SinkContext = {
  nodeId: 'n_1',
  nodeName: 'result',
  pipelineId: 'p_1',
  folder,
  secret: async () => '',
  now: Date.now,
  mark: async () =>
    existsSync(markPath) ? (JSON.parse(readFileSync(markPath, 'utf8')) as SinkMark) : undefined,
  async commit(mark) {
    const fd = openSync(`${markPath}.next`, 'w');
    writeSync(fd, JSON.stringify(mark));
    fsyncSync(fd);
    renameSync(`${markPath}.next`, markPath);
  },
};

const sink = await fileSink.open({ path: 'out.jsonl' }, context);
process.stdout.write('open\n');
for (let batch = sink.through + 1; batch <= Number(last); batch++) {
  const lines = Array.from(
    { length: 1 + (batch % 7) },
    (_, ordinal) => `${JSON.stringify({ batch, ordinal, pad: 'x'.repeat((batch * 37) % 900) })}\n`,
  );
  const text = { position: batch, bytes: new TextEncoder().encode(lines.join('')) };
  await sink.deliver({ through: batch, rows: [], texts: [text] }, new AbortController().signal);
}
await sink.close();
