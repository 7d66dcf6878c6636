/** The canonical folder form: sorted keys, LF, a trailing newline, defaults left out. Equal graphs, equal bytes. */
import { canonicalJson } from '../json/canonical-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { plainValue } from '../json/token.ts';
import { FORMAT, type Node, type Pipeline, type Stream } from '../pipeline.ts';
import { fileRole, PIPELINE_FILE, type PipelineFiles } from './files.ts';

export function writeFolder(pipeline: Pipeline, files: PipelineFiles): PipelineFiles {
  const written = new Map<string, string>([[PIPELINE_FILE, canonicalJson(pipelineJson(pipeline))]]);
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const role = fileRole(path);
    if (role === undefined || role === 'pipeline') continue;
    written.set(path, role === 'node' || role === 'lib' ? canonicalText(text) : canonicalJsonText(text));
  }
  return written;
}

function pipelineJson(pipeline: Pipeline): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['format', FORMAT],
    ['id', pipeline.id],
    ['name', pipeline.name],
    ['nodes', mapValues(pipeline.nodes, nodeJson)],
    ['streams', mapValues(pipeline.streams, streamJson)],
    ['parameters', pipeline.parameters.size === 0 ? undefined : pipeline.parameters],
  ]);
}

function nodeJson(node: Node): unknown {
  return {
    type: node.type,
    name: node.name,
    code: node.code,
    config: Object.keys(node.config).length === 0 ? undefined : node.config,
    exactlyOnce: node.exactlyOnce ? undefined : false,
    productions: node.productions === 'strong' ? undefined : node.productions,
    idempotent: node.idempotent ? true : undefined,
  };
}

function streamJson(stream: Stream): unknown {
  return { from: stream.from, to: stream.to, keyBy: stream.keyBy };
}

function mapValues<V>(map: ReadonlyMap<string, V>, write: (value: V) => unknown): Map<string, unknown> {
  return new Map([...map].map(([key, value]) => [key, write(value)]));
}

function canonicalText(text: string): string {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** A recorded case may hold integers beyond 2^53: what cannot be kept exactly is kept as it was written. */
function canonicalJsonText(text: string): string {
  const { root, problems } = parseJson(text.replace(/^\ufeff/, ''));
  return root === undefined || problems.length > 0 ? canonicalText(text) : canonicalJson(plainValue(root));
}
