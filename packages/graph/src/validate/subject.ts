/** What every rule of the validation gets to see. */

import type { NodeTypeSpec, NodeTypes } from '../node-types.ts';
import type { ParameterValue } from '../parameters.ts';
import type { Node } from '../pipeline.ts';
import type { PipelineFolder } from '../read/read-folder.ts';
import type { Report } from '../read/report.ts';

export interface Subject {
  readonly folder: PipelineFolder;
  readonly types: NodeTypes;
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly report: Report;
}

/** `'count by hour' (n_count)`: how messages call a node. */
export function called(node: Node): string {
  return node.name === '' ? `'${node.id}'` : `'${node.name}' (${node.id})`;
}

export function specOf(subject: Subject, node: Node): NodeTypeSpec | undefined {
  return subject.types.get(node.type);
}
