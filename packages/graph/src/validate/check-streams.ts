/** G3: every stream joins an output to an input that exist, and every input that must be fed is fed. */
import { nearest } from '../nearest.ts';
import type { Node, Stream } from '../pipeline.ts';
import { called, type Subject, specOf } from './subject.ts';

type End = 'from' | 'to';

export function checkStreams(subject: Subject): void {
  const wires = new Map<string, string>();
  for (const stream of subject.folder.pipeline.streams.values()) {
    checkEnd(subject, stream, 'from');
    checkEnd(subject, stream, 'to');
    checkKeyBy(subject, stream);
    const wire = JSON.stringify([stream.from, stream.to]);
    const twin = wires.get(wire);
    if (twin === undefined) wires.set(wire, stream.id);
    else {
      const message = `streams '${twin}' and '${stream.id}' join the same two ports, so every record would arrive twice; remove one`;
      subject.report('duplicate-stream', at(stream), message);
    }
  }
  const wired = wiredPorts(subject);
  for (const node of subject.folder.pipeline.nodes.values()) checkFed(subject, node, wired);
}

function checkEnd(subject: Subject, stream: Stream, end: End): void {
  const [id, port] = stream[end];
  const nodes = subject.folder.pipeline.nodes;
  const node = nodes.get(id);
  if (node === undefined) {
    const close = nearest(id, nodes.keys());
    const hint =
      close === undefined ? 'wire it to an existing node or remove it' : `did you mean '${close}'?`;
    const side = end === 'from' ? 'comes from' : 'goes to';
    const message = `stream '${stream.id}' ${side} the node '${id.slice(0, 80)}', which does not exist; ${hint}`;
    subject.report('unknown-node', { ...at(stream), path: ['streams', stream.id, end, 0] }, message);
    return;
  }
  const spec = specOf(subject, node);
  if (spec === undefined) return;
  const where = { path: ['streams', stream.id, end], node: id, stream: stream.id };
  if (end === 'from' && spec.kind === 'sink') {
    subject.report(
      'from-sink',
      where,
      `stream '${stream.id}' comes out of ${called(node)}, but a sink has no output; start it at another node`,
    );
  } else if (end === 'to' && spec.kind === 'injector') {
    subject.report(
      'to-injector',
      where,
      `stream '${stream.id}' goes into ${called(node)}, but an injector has no input; end it at another node`,
    );
  } else checkPort(subject, stream, end, node, port);
}

function checkPort(subject: Subject, stream: Stream, end: End, node: Node, port: string): void {
  const ports = end === 'from' ? specOf(subject, node)?.outputs : specOf(subject, node)?.inputs;
  if (ports === undefined || (ports === 'any' ? isPortName(port) : ports.includes(port))) return;
  const kind = end === 'from' ? 'output' : 'input';
  const where = { path: ['streams', stream.id, end, 1], node: node.id, stream: stream.id };
  const remedy =
    ports === 'any'
      ? 'use letters, digits, _ and -, at most 100'
      : `it has ${ports.map((name) => `'${name}'`).join(', ')}`;
  const message = `stream '${stream.id}': ${called(node)} has no ${kind} '${port.slice(0, 80)}'; ${remedy}`;
  subject.report('unknown-port', where, message);
}

function isPortName(port: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(port) && port !== '__proto__';
}

function checkKeyBy(subject: Subject, stream: Stream): void {
  if (stream.keyBy === undefined || stream.keyBy.trim() !== '') return;
  const where = { ...at(stream), path: ['streams', stream.id, 'keyBy'] };
  subject.report(
    'empty-key-by',
    where,
    `stream '${stream.id}': keyBy is empty; write an expression such as "value.id" or remove it`,
  );
}

interface WiredPorts {
  readonly inputs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly producers: ReadonlySet<string>;
}

function wiredPorts({ folder }: Subject): WiredPorts {
  const inputs = new Map<string, Set<string>>();
  const producers = new Set<string>();
  for (const { from, to } of folder.pipeline.streams.values()) {
    producers.add(from[0]);
    inputs.set(to[0], (inputs.get(to[0]) ?? new Set<string>()).add(to[1]));
  }
  return { inputs, producers };
}

function checkFed(subject: Subject, node: Node, wired: WiredPorts): void {
  const spec = specOf(subject, node);
  if (spec === undefined) return;
  const fed = wired.inputs.get(node.id) ?? new Set<string>();
  const where = { path: ['nodes', node.id], key: true, node: node.id };
  if (spec.kind === 'injector') {
    if (wired.producers.has(node.id)) return;
    const message = `nothing reads what ${called(node)} injects; draw a stream from it or remove it`;
    subject.report('unread-injector', { ...where, severity: 'warning' }, message);
  } else if (spec.inputs === 'any') {
    if (fed.size > 0) return;
    subject.report(
      'missing-input',
      where,
      `no stream leads into ${called(node)}; draw one or remove the node`,
    );
  } else {
    for (const input of spec.inputs.filter((name) => !fed.has(name))) {
      const message = `no stream leads into the input '${input}' of ${called(node)}; draw one or remove the node`;
      subject.report('missing-input', where, message);
    }
  }
}

function at(stream: Stream): { path: string[]; stream: string } {
  return { path: ['streams', stream.id], stream: stream.id };
}
