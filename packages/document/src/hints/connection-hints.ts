/** While somebody drags from a port: every port it could end at, and why not at the others. */
import type { NodeTypes, Pipeline, Port } from '@millrace/graph';
import { type ConnectionFault, checkFrom, checkTo, connectionFault } from './connection-fault.ts';

export interface ConnectionHint {
  readonly port: Port;
  readonly fault: ConnectionFault | undefined;
  /** A code node takes any new input or output; this one is not there yet. */
  readonly isNew: boolean;
}

export type DragEnd = 'output' | 'input';

/** `end` says what the drag began at: from an output one looks for inputs, and the other way round. */
export function connectionHints(
  pipeline: Pipeline,
  types: NodeTypes,
  dragged: Port,
  end: DragEnd,
): ConnectionHint[] {
  const side = end === 'output' ? 'inputs' : 'outputs';
  const check = (end === 'output' ? checkFrom : checkTo)(pipeline, types, dragged);
  const hints: ConnectionHint[] = [];
  for (const node of pipeline.nodes.values()) {
    for (const { name, isNew } of portsOf(pipeline, types, node.id, side)) {
      const port: Port = [node.id, name];
      const [from, to] = end === 'output' ? [dragged, port] : [port, dragged];
      hints.push({ port, fault: connectionFault(check, from, to), isNew });
    }
  }
  return hints;
}

/** The name proposed for a new port of a code node. */
const NEW_PORT = { inputs: 'input', outputs: 'out' } as const;

export function portsOf(
  pipeline: Pipeline,
  types: NodeTypes,
  node: string,
  side: 'inputs' | 'outputs',
): readonly { readonly name: string; readonly isNew: boolean }[] {
  const spec = types.get(pipeline.nodes.get(node)?.type ?? '');
  const declared = spec?.[side] ?? 'any';
  if (declared !== 'any') {
    // A sink still shows the reason at its body, so that dropping there is answered.
    const names = declared.length === 0 ? [NEW_PORT[side]] : declared;
    return names.map((name) => ({ name, isNew: false }));
  }
  const end = side === 'inputs' ? 'to' : 'from';
  const used = new Set<string>();
  for (const stream of pipeline.streams.values()) if (stream[end][0] === node) used.add(stream[end][1]);
  let fresh: string = NEW_PORT[side];
  for (let n = 2; used.has(fresh); n++) fresh = `${NEW_PORT[side]}${n}`;
  return [...[...used].sort().map((name) => ({ name, isNew: false })), { name: fresh, isNew: true }];
}
