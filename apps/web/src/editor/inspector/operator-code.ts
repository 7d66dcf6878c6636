/** What an operator becomes when it is turned into code: the call its form stands for. */
import { operatorCode } from '@millrace/compiler/layout';
import { applyParameters, type Node, type Pipeline, resolveParameters, type Settings } from '@millrace/graph';

export interface TurnedIntoCode {
  readonly text: string;
  /** Parameters the form took values from; the code has the values they have now. */
  readonly fixed: readonly string[];
}

/** `isUntyped`: nothing is known of what flows in. Undefined for no operator, or an incomplete form. */
export function turnedIntoCode(
  node: Node,
  { parameters }: Pick<Pipeline, 'parameters'>,
  isUntyped = false,
): TurnedIntoCode | undefined {
  const { values } = resolveParameters(parameters);
  const { config, unknown } = applyParameters(node.config, values);
  const text = unknown.length > 0 ? undefined : operatorCode(node, config, { isUntyped });
  return text === undefined ? undefined : { text, fixed: namesIn(node.config) };
}

function namesIn(config: Settings): readonly string[] {
  // Every name a form refers to is unknown to an empty set of parameters.
  return [...new Set(applyParameters(config, {}).unknown.map(({ parameter }) => parameter))];
}
