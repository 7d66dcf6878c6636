/** G3: names of nodes are unique, because people, logs and metrics call nodes by them. */
import type { Subject } from './subject.ts';

export function checkNames({ folder, report }: Subject): void {
  const owners = new Map<string, string>();
  for (const node of folder.pipeline.nodes.values()) {
    const name = node.name.trim();
    if (name === '') continue;
    const owner = owners.get(name);
    if (owner === undefined) owners.set(name, node.id);
    else {
      const where = { path: ['nodes', node.id, 'name'], node: node.id };
      report(
        'duplicate-name',
        where,
        `nodes ${owner} and ${node.id} are both named '${name}'; rename one of them`,
      );
    }
  }
}
