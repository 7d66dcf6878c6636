/** What a stream is called: by its own name, else after the port it comes from. */
import type { Reading } from '@millrace/document';
import type { Stream } from '@millrace/graph';

/** The port most nodes have goes without saying. */
const USUAL_PORT = 'out';

export function streamName(reading: Reading, stream: Stream): string {
  return reading.layout.streams.get(stream.id)?.name ?? portName(reading, stream);
}

export function portName({ pipeline }: Reading, { from: [node, port] }: Stream): string {
  const name = pipeline.nodes.get(node)?.name ?? node;
  return port === USUAL_PORT ? name : `${name}.${port}`;
}
