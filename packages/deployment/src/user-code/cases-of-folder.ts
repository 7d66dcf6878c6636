/** What a recorded case says of its place in a pipeline. Texts that are no cases say nothing; the runner tells why. */
import type { Pipeline } from '@millrace/graph';

/** The case's own word, else the only code node there is. */
export function nodeOfCase(text: string, pipeline: Pipeline): string | undefined {
  const named = fieldOf(text, 'node');
  if (named !== undefined) return String(named);
  const codeNodes = [...pipeline.nodes.values()].filter((node) => node.type === 'code');
  return codeNodes.length === 1 ? codeNodes[0]?.id : undefined;
}

/** A record on a stream that leads nowhere near the node could never come in: its case would prove nothing. */
export function* strayRecords(text: string, node: string | undefined, pipeline: Pipeline): Iterable<string> {
  if (node === undefined || !pipeline.nodes.has(node)) return;
  const inputs = new Set(
    [...pipeline.streams.values()].flatMap(({ to: [of, port] }) => (of === node ? [port] : [])),
  );
  for (const [at, step] of stepsOf(text).entries()) {
    const stream: unknown = Object(Object(step).record).stream;
    if (typeof stream !== 'string' || inputs.has(stream)) continue;
    yield `steps[${at}].record.stream: '${node}' has no input '${stream}'; it has ${[...inputs].join(', ')}`;
  }
}

function fieldOf(text: string, field: 'node' | 'steps'): unknown {
  try {
    const recorded: unknown = JSON.parse(text);
    return typeof recorded === 'object' && recorded !== null && Object.hasOwn(recorded, field)
      ? (recorded as Record<string, unknown>)[field]
      : undefined;
  } catch {
    return undefined;
  }
}

function stepsOf(text: string): readonly unknown[] {
  const steps = fieldOf(text, 'steps');
  return Array.isArray(steps) ? steps : [];
}
