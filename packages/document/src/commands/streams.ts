/** Drawing and moving streams. */
import type { Port, Stream } from '@millrace/graph';
import { checkFrom, checkTo, connectionFault, isPortName } from '../hints/connection-fault.ts';
import type { StreamWords } from '../read/reading.ts';
import { isStreamName, MAX_STREAM_NAME } from '../read/stream-name.ts';
import type { Edit } from '../write/edit.ts';
import { streamFields } from '../write/entity-fields.ts';
import type { StreamCommand } from './command.ts';
import {
  type Decision,
  decided,
  nameFault,
  noNode,
  noStream,
  type Refusal,
  refuse,
  type Scene,
  setValue,
} from './decision.ts';

type Of<K extends StreamCommand['kind']> = Extract<StreamCommand, { kind: K }>;

const MAX_STREAMS = 20_000;
const MAX_EXPRESSION = 20_000;

export function connect(scene: Scene, { from, to, keyBy }: Of<'connect'>): Decision {
  if (scene.reading.pipeline.streams.size >= MAX_STREAMS) {
    return refuse('too-many', `a pipeline has at most ${MAX_STREAMS} streams`);
  }
  const fault = fitFault(scene, from, to) ?? keyFault(keyBy);
  if (fault !== undefined) return fault;
  const id = scene.mint('s');
  return decided([createStream(id, { from, to, keyBy })], [id]);
}

export function disconnect({ reading }: Scene, { streams }: Of<'disconnect'>): Decision {
  const missing = streams.find((id) => !reading.pipeline.streams.has(id));
  if (missing !== undefined) return noStream(missing);
  return decided(streams.map((id) => setValue('streams', id, 'deleted', true)));
}

export function rewire(scene: Scene, command: Of<'rewire'>): Decision {
  const stream = scene.reading.pipeline.streams.get(command.stream);
  if (stream === undefined) return noStream(command.stream);
  const [from, to] = [command.from ?? stream.from, command.to ?? stream.to];
  const fault = fitFault(scene, from, to, stream.id);
  if (fault !== undefined) return fault;
  return decided([setValue('streams', stream.id, 'from', from), setValue('streams', stream.id, 'to', to)]);
}

/**
 * The old stream goes on into its consumer, from the new node: how records arrive there, keyed by what, is the
 * consumer's affair. What leads into the new node is new.
 */
export function spliceNode(scene: Scene, command: Of<'splice-node'>): Decision {
  const { pipeline } = scene.reading;
  const stream = pipeline.streams.get(command.stream);
  if (stream === undefined) return noStream(command.stream);
  if (!pipeline.nodes.has(command.node)) return noNode(command.node);
  const input: Port = [command.node, command.input];
  const output: Port = [command.node, command.output];
  const fault = fitFault(scene, stream.from, input, stream.id) ?? outFault(scene, output, stream);
  if (fault !== undefined) return fault;
  const id = scene.mint('s');
  return decided(
    [
      setValue('streams', stream.id, 'from', output),
      createStream(id, { from: stream.from, to: input, keyBy: undefined }),
    ],
    [id],
  );
}

export function setKeyBy({ reading }: Scene, command: Of<'set-key-by'>): Decision {
  if (!reading.pipeline.streams.has(command.stream)) return noStream(command.stream);
  const keyBy = command.keyBy?.trim() === '' ? undefined : command.keyBy;
  return keyFault(keyBy) ?? decided([setValue('streams', command.stream, 'keyBy', keyBy)]);
}

/** The code calls an output otherwise: what was drawn from it goes along. */
export function renameOutput(scene: Scene, { node, from, to }: Of<'rename-output'>): Decision {
  const streams = [...scene.reading.pipeline.streams.values()].filter(
    (stream) => stream.from[0] === node && stream.from[1] === from,
  );
  if (streams.length === 0) return refuse('nothing', `no stream comes from '${from.slice(0, 80)}' any more`);
  const fault = streams.map((stream) => fitFault(scene, [node, to], stream.to, stream.id)).find(Boolean);
  return fault ?? decided(streams.map(({ id }) => setValue('streams', id, 'from', [node, to])));
}

/** Without a name the stream is called after its ports again. Two may have one name: it is for people only. */
export function renameStream({ reading }: Scene, command: Of<'rename-stream'>): Decision {
  if (!reading.pipeline.streams.has(command.stream)) return noStream(command.stream);
  const name = command.name?.trim() || undefined;
  if (name !== undefined && !isStreamName(name)) {
    const rule = `a stream's name is one line of at most ${MAX_STREAM_NAME} characters; shorten it`;
    return nameFault(name) ?? refuse('bad-name', rule);
  }
  return decided([setValue('streams', command.stream, 'name', name)]);
}

export function createStream(id: string, stream: Omit<Stream, 'id'>, words?: StreamWords): Edit {
  return { kind: 'create', table: 'streams', id, fields: streamFields(stream, words) };
}

function outFault(scene: Scene, output: Port, stream: Stream): Refusal | undefined {
  const { reading, types } = scene;
  const check = checkTo(reading.pipeline, types, stream.to, stream.id);
  const fault = connectionFault(check, output, stream.to);
  return fault === undefined ? undefined : refuse(fault.code, `cannot go on from there: ${fault.reason}`);
}

function fitFault(scene: Scene, from: Port, to: Port, moving?: string): Refusal | undefined {
  if (!isPortName(from[1]) || !isPortName(to[1])) {
    return refuse('unknown-port', 'a port is named with letters, digits, _ and -, at most 100');
  }
  const check = checkFrom(scene.reading.pipeline, scene.types, from, moving);
  const fault = connectionFault(check, from, to);
  return fault === undefined ? undefined : refuse(fault.code, `cannot connect: ${fault.reason}`);
}

function keyFault(keyBy: string | undefined): Refusal | undefined {
  if (keyBy === undefined || keyBy.length <= MAX_EXPRESSION) return undefined;
  return refuse('bad-setting', `a key expression has at most ${MAX_EXPRESSION} characters`);
}
