/** What an operator becomes when it is turned into code: the call its form stands for. */
import { operatorFile } from '@millrace/compiler/layout';
import type { Node } from '@millrace/graph';

/** Undefined for what is no operator, and while its settings are not complete. */
export function operatorCode(node: Node): string | undefined {
  const text = operatorFile(node, node.config)?.text;
  // `Loose` keeps a half-typed form from failing twice; code of one's own is checked as it stands.
  return text
    ?.replace("import type { Loose } from '../prelude';\n", '')
    .replace("Loose<Inputs['in']>", "Inputs['in']")
    .replace(/\(\n([^\n]*)\n\)/g, '$1');
}
