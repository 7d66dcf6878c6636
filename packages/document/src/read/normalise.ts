/**
 * Puts right what merging two people's edits can break, the same way on every peer: by ids alone, never by the
 * order in which edits arrived. The document itself stays as it is; the next edit of the field settles it.
 */
import { codePathFault, type Issue, type Node, type Stream } from '@millrace/graph';
import { shown, warning } from './problem.ts';
import type { Layout, SharedFile } from './reading.ts';

type Nodes = ReadonlyMap<string, Node>;

/** Two nodes of one name: the one with the larger id is called `name 2` until somebody renames it. */
export function uniqueNames(nodes: Nodes, problems: Issue[]): Nodes {
  const taken = new Set([...nodes.values()].map(({ name }) => name.trim()));
  const first = new Set<string>();
  return mapNodes(nodes, (node) => {
    const name = node.name.trim();
    if (name === '' || !first.has(name)) {
      first.add(name);
      return node;
    }
    const other = nextName(name, taken);
    taken.add(other);
    first.add(other);
    const about = { path: `nodes.${node.id}.name`, node: node.id };
    const message = `two nodes were named ${shown(name)} at the same time; one is called ${shown(other)} now`;
    problems.push(warning('duplicate-name', about, message));
    return { ...node, name: other };
  });
}

export function nextName(name: string, taken: { has(name: string): boolean }): string {
  const base = name.replace(/ \d+$/, '');
  for (let n = 2; ; n++) if (!taken.has(`${base} ${n}`)) return `${base} ${n}`;
}

/** Two nodes with one file, also on a file system that ignores case: the later one's gets its id. */
export function uniqueCodePaths(nodes: Nodes, problems: Issue[]): Nodes {
  const taken = new Set<string>();
  return mapNodes(nodes, (node) => {
    if (node.code === undefined) return node;
    const path = node.code.toLowerCase();
    if (!taken.has(path) || codePathFault(node.code) !== undefined) {
      taken.add(path);
      return node;
    }
    const code = withId(node.code, node.id);
    taken.add(code.toLowerCase());
    const about = { path: `nodes.${node.id}.code`, node: node.id };
    problems.push(
      warning('shared-code', about, `two nodes were given ${shown(node.code)}; one has ${code} now`),
    );
    return { ...node, code };
  });
}

/** Paths as nodes and files share them: a file that collides gets its id into its name. */
export function uniqueFiles(
  files: ReadonlyMap<string, SharedFile>,
  nodes: Nodes,
  problems: Issue[],
): ReadonlyMap<string, SharedFile> {
  const taken = new Set([...nodes.values()].map(({ code }) => code?.toLowerCase()));
  const result = new Map<string, SharedFile>();
  for (const [id, file] of files) {
    const path = taken.has(file.path.toLowerCase()) ? withId(file.path, id) : file.path;
    if (path !== file.path) {
      const message = `two files were called ${shown(file.path)}; one is ${shown(path)} now`;
      problems.push(warning('duplicate-file', { path: `files.${id}.path` }, message));
    }
    taken.add(path.toLowerCase());
    result.set(id, path === file.path ? file : { id, path });
  }
  return result;
}

/** A stream whose node was deleted meanwhile is left out until the node is back; of twins the first stays. */
export function soundStreams(
  streams: ReadonlyMap<string, Stream>,
  isDeleted: (node: string) => boolean,
  problems: Issue[],
): ReadonlyMap<string, Stream> {
  const wires = new Set<string>();
  const result = new Map<string, Stream>();
  for (const [id, stream] of streams) {
    const about = { path: `streams.${id}`, stream: id };
    const gone = [stream.from[0], stream.to[0]].find(isDeleted);
    const wire = [...stream.from, ...stream.to].join('\n');
    if (gone !== undefined) {
      const message = `stream ${shown(id)} was drawn to ${shown(gone)} while somebody deleted that node; restore the node to have it back`;
      problems.push(warning('dangling-stream', about, message));
    } else if (wires.has(wire)) {
      const message = `stream ${shown(id)} joins two ports that are already joined, so it is left out`;
      problems.push(warning('duplicate-stream', about, message));
    } else {
      wires.add(wire);
      result.set(id, stream);
    }
  }
  return result;
}

/** Places of nodes that are there, in groups that are there. */
export function soundLayout(layout: Layout, nodes: Nodes): Layout {
  const places = new Map(
    [...layout.nodes]
      .filter(([id]) => nodes.has(id))
      .map(([id, place]) => {
        const lost = place.group !== undefined && !layout.groups.has(place.group);
        return [id, lost ? { ...place, group: undefined } : place];
      }),
  );
  return { ...layout, nodes: places };
}

function mapNodes(nodes: Nodes, change: (node: Node) => Node): Nodes {
  const result = new Map<string, Node>();
  for (const [id, node] of nodes) result.set(id, change(node));
  return result;
}

function withId(path: string, id: string): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot)}-${id.replaceAll('_', '-')}${path.slice(dot)}`;
}
