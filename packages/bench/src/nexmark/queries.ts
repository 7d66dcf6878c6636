/** The pipelines of the queries: the folders in `samples/nexmark`, and all of them as one pipeline. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const QUERIES: readonly string[] = Array.from({ length: 24 }, (_, i) => `q${i}`);

/** Path within the folder → text. */
export type Files = ReadonlyMap<string, string>;

/** `samples`: the folder of that name. */
export function queryFiles(samples: string, query: string): Files {
  const folder = join(samples, 'nexmark', query);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

interface Pipeline {
  readonly nodes: Readonly<
    Record<string, { readonly name: string; readonly code?: string; config?: object }>
  >;
  readonly streams: Readonly<
    Record<string, { readonly from: [string, string]; readonly to: [string, string] }>
  >;
  readonly parameters: object;
}

/** Several queries behind one injector; the sink of `q5` writes `q5.jsonl` and is the node `n_q5result`. */
export function joinedQueries(samples: string, queries: readonly string[]): Files {
  const files = new Map<string, string>();
  const nodes: Record<string, object> = {};
  const streams: Record<string, object> = {};
  let parameters: object = {};
  for (const query of queries) {
    const given = queryFiles(samples, query);
    const pipeline = JSON.parse(given.get('pipeline.json') ?? '') as Pipeline;
    parameters = pipeline.parameters;
    const idOf = (id: string): string => (id === 'n_events' ? id : `n_${query}${id.slice(2)}`);
    for (const [id, node] of Object.entries(pipeline.nodes)) {
      const name = id === 'n_events' ? node.name : `${query} ${node.name}`;
      const code = node.code === undefined ? {} : { code: node.code.replace('nodes/', `nodes/${query}-`) };
      const path = id === 'n_result' ? { config: { ...node.config, path: `${query}.jsonl` } } : {};
      nodes[idOf(id)] = { ...node, name, ...code, ...path };
    }
    for (const [id, stream] of Object.entries(pipeline.streams)) {
      const [from, to] = [stream.from, stream.to].map(([node, port]) => [idOf(node), port]);
      streams[`s_${query}${id.slice(2)}`] = { ...stream, from, to };
    }
    for (const [path, text] of given)
      if (path !== 'pipeline.json') files.set(path.replace('nodes/', `nodes/${query}-`), text);
  }
  const joined = { format: 1, id: 'p_nexmarkall', name: 'Nexmark', nodes, streams, parameters };
  return files.set('pipeline.json', JSON.stringify(joined, null, 2));
}
