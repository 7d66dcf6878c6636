/** N6: what is looked up in must say for which time each of its rows stands. */
import type { Node } from '../pipeline.ts';
import { PASSING, reached } from './reached.ts';
import { called, type Subject, specOf } from './subject.ts';

export function checkLookups(subject: Subject): void {
  const { nodes, streams } = subject.folder.pipeline;
  for (const { from, to } of streams.values()) {
    const [node, source] = [nodes.get(to[0]), nodes.get(from[0])];
    if (node?.type !== 'operator/lookup' || to[1] !== 'right' || source === undefined) continue;
    const sources = PASSING.includes(source.type)
      ? [source, ...reached(subject, source, 'to', ({ type }) => PASSING.includes(type))]
      : [source];
    const other = sources.find((each) => isNoTable(subject, each));
    if (other === undefined) continue;
    const message = `node ${called(node)} looks up in what ${called(other)} gives, and that is no table: its records do not say for which time they stand; read a "Postgres table" or a "File as table", or join in another way, such as with intervalJoin`;
    subject.report('no-table', { path: ['nodes', node.id, 'type'], node: node.id }, message);
  }
}

function isNoTable(subject: Subject, node: Node): boolean {
  const spec = specOf(subject, node);
  if (spec?.kind === 'injector') return spec.isTable !== true;
  // Code may make rows that do; panes of windows come only when their time is over.
  return node.type.startsWith('operator/') && !PASSING.includes(node.type);
}
