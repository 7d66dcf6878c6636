/** Which ports may be joined, by structure alone: whether the types fit is the compiler's to say. */
import type { NodeTypes, Pipeline, Port, Stream } from '@millrace/graph';

export interface ConnectionFault {
  readonly code:
    | 'no-node'
    | 'same-node'
    | 'from-sink'
    | 'to-injector'
    | 'unknown-port'
    | 'duplicate-stream'
    | 'cycle';
  readonly reason: string;
}

/** What is worked out once per drag: a graph may have a thousand ports to judge. */
export interface ConnectionCheck {
  readonly pipeline: Pipeline;
  readonly types: NodeTypes | undefined;
  readonly wires: ReadonlySet<string>;
  readonly closesCycle: (from: string, to: string) => boolean;
}

/** For a fixed output; `moving` is a stream whose end is dragged, which does not count as there. */
export function checkFrom(
  pipeline: Pipeline,
  types: NodeTypes | undefined,
  from: Port,
  moving?: string,
): ConnectionCheck {
  const upstream = reachable(pipeline, from[0], 'upstream', moving);
  return { pipeline, types, wires: wiresOf(pipeline, moving), closesCycle: (_, to) => upstream.has(to) };
}

/** For a fixed input. */
export function checkTo(
  pipeline: Pipeline,
  types: NodeTypes | undefined,
  to: Port,
  moving?: string,
): ConnectionCheck {
  const downstream = reachable(pipeline, to[0], 'downstream', moving);
  return { pipeline, types, wires: wiresOf(pipeline, moving), closesCycle: (from) => downstream.has(from) };
}

/** Why `from` cannot feed `to`; undefined when it can. */
export function connectionFault(check: ConnectionCheck, from: Port, to: Port): ConnectionFault | undefined {
  const [source, target] = [check.pipeline.nodes.get(from[0]), check.pipeline.nodes.get(to[0])];
  if (source === undefined || target === undefined) {
    return { code: 'no-node', reason: 'the node is not there any more' };
  }
  if (source === target) {
    return { code: 'same-node', reason: 'a node cannot feed itself; put another one between' };
  }
  const fault = portFault(check, from, to);
  if (fault !== undefined) return fault;
  if (check.closesCycle(from[0], to[0])) {
    const reason = `records would go round for ever: ${called(target)} already leads to ${called(source)}`;
    return { code: 'cycle', reason };
  }
  if (!check.wires.has(wireOf(from, to))) return undefined;
  return {
    code: 'duplicate-stream',
    reason: 'these two are joined already; every record would arrive twice',
  };
}

function portFault({ pipeline, types }: ConnectionCheck, from: Port, to: Port): ConnectionFault | undefined {
  const source = types?.get(pipeline.nodes.get(from[0])?.type ?? '');
  const target = types?.get(pipeline.nodes.get(to[0])?.type ?? '');
  if (source?.kind === 'sink')
    return { code: 'from-sink', reason: 'a sink takes records out; it has no output' };
  if (target?.kind === 'injector') {
    return { code: 'to-injector', reason: 'an injector brings records in; it has no input' };
  }
  const unknown =
    (source !== undefined && !hasPort(source.outputs, from[1]) && from[1]) ||
    (target !== undefined && !hasPort(target.inputs, to[1]) && to[1]);
  if (typeof unknown !== 'string') return undefined;
  return { code: 'unknown-port', reason: `there is no port '${unknown.slice(0, 80)}'` };
}

function hasPort(ports: readonly string[] | 'any', port: string): boolean {
  return ports === 'any' ? isPortName(port) : ports.includes(port);
}

/** As the graph's validation has it: what code may name in `Inputs` and `Outputs`. */
export function isPortName(port: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(port) && port !== '__proto__';
}

/** Ids of the nodes that lead to a node, or that it leads to; itself included. */
function reachable(
  pipeline: Pipeline,
  node: string,
  way: 'upstream' | 'downstream',
  moving: string | undefined,
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { id, from, to } of pipeline.streams.values()) {
    const [here, there] = way === 'upstream' ? [to[0], from[0]] : [from[0], to[0]];
    const known = next.get(here);
    if (id === moving) continue;
    if (known === undefined) next.set(here, [there]);
    else known.push(there);
  }
  const reached = new Set([node]);
  for (const id of reached) for (const found of next.get(id) ?? []) reached.add(found);
  return reached;
}

function wiresOf(pipeline: Pipeline, moving: string | undefined): ReadonlySet<string> {
  const streams = [...pipeline.streams.values()].filter(({ id }) => id !== moving);
  return new Set(streams.map(({ from, to }) => wireOf(from, to)));
}

export function wireOf(from: Port, to: Port): string {
  return [...from, ...to].join('\n');
}

export function streamsOf(pipeline: Pipeline, node: string): Stream[] {
  return [...pipeline.streams.values()].filter(({ from, to }) => from[0] === node || to[0] === node);
}

function called(node: { readonly name: string; readonly id: string }): string {
  return node.name === '' ? node.id : `'${node.name}'`;
}
