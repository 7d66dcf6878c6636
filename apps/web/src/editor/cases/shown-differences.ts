/** What a run found, as people look at it: a record that came out otherwise stands beside the one expected. Pure. */
import type { CaseReportShown } from '@millrace/protocol/api';
import { comparable, type JsonNode, parseJson } from './exact-json.ts';
import { type DiffLine, lineDiff } from './line-diff.ts';

type Difference = CaseReportShown['differences'][number];

export interface ShownDifference {
  readonly kind: Difference['kind'] | 'differs';
  readonly stream: string | undefined;
  readonly key: string | undefined;
  readonly step: number | undefined;
  readonly lines: readonly DiffLine[];
  readonly message: string;
}

export function shownDifferences(differences: readonly Difference[]): readonly ShownDifference[] {
  const left = [...differences];
  const shown: ShownDifference[] = [];
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    const given = one;
    const at = left.findIndex((other) => areTwoSides(given, other));
    const [other] = at < 0 ? [] : left.splice(at, 1);
    shown.push(other === undefined ? alone(given) : together(given, other));
  }
  return shown;
}

/** One expected and one produced of the same output and key. */
function areTwoSides(one: Difference, other: Difference): boolean {
  if (one.kind === 'state' || one.stream !== other.stream) return false;
  const [expected, actual] = one.expected === undefined ? [other, one] : [one, other];
  if (expected.expected === undefined || actual.actual === undefined) return false;
  if (expected.actual !== undefined || actual.expected !== undefined) return false;
  const [wanted, found] = [keyOf(expected.expected), keyOf(actual.actual)];
  return wanted === undefined || wanted === found;
}

function keyOf(text: string): string | undefined {
  const key = fieldOf(parseJson(text), 'key');
  return key?.kind === 'string' ? key.text : undefined;
}

const fieldOf = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.entries.find(([field]) => field === name)?.[1] : undefined;

function together(one: Difference, other: Difference): ShownDifference {
  const [expected, actual] = [one.expected ?? other.expected, one.actual ?? other.actual];
  return {
    ...alone(one),
    kind: one.kind === 'late' ? 'late' : 'differs',
    lines: linesOf(expected, actual),
  };
}

const alone = ({ kind, stream, key, step, expected, actual, message }: Difference): ShownDifference => ({
  kind,
  stream,
  key,
  step,
  message,
  lines: linesOf(expected, actual),
});

function linesOf(expected: string | undefined, actual: string | undefined): readonly DiffLine[] {
  const [wanted, found] = [expected, actual].map((text) =>
    text === undefined ? undefined : parseJson(text),
  );
  // Of what came out only what the case speaks of is compared.
  const asked = wanted && found && isRecordOf(wanted) && isRecordOf(found) ? only(found, wanted) : found;
  return lineDiff(wanted ? comparable(wanted) : plain(expected), asked ? comparable(asked) : plain(actual));
}

const plain = (text: string | undefined): readonly string[] => text?.split('\n') ?? [];

const isRecordOf = (node: JsonNode): boolean => fieldOf(node, 'value') !== undefined;

const only = (found: JsonNode, wanted: JsonNode): JsonNode =>
  found.kind !== 'object'
    ? found
    : { kind: 'object', entries: found.entries.filter(([name]) => fieldOf(wanted, name) !== undefined) };
