/**
 * A recorded case as a form shows it, and back to the text of its file. Values stay JSON texts all the way, so that no
 * digit is lost; what the form does not know of stays in the file. Pure.
 */
import { compact, type JsonNode, parseJson, prettyJson } from './exact-json.ts';

export type CaseStep =
  | {
      readonly kind: 'record';
      readonly stream: string;
      readonly key: string | undefined;
      /** JSON text, as `pane`. */
      readonly value: string;
      readonly timestamp: number;
      readonly pane?: string | undefined;
    }
  | { readonly kind: 'watermark' | 'wall'; readonly time: number }
  | { readonly kind: 'restart' | 'end' };

export interface ExpectedRecord {
  readonly key?: string | undefined;
  readonly value: string;
  readonly timestamp?: number | undefined;
  readonly pane?: string | undefined;
}

export interface RecordedCase {
  readonly node: string | undefined;
  readonly steps: readonly CaseStep[];
  readonly expect: ReadonlyMap<string, readonly ExpectedRecord[]>;
  readonly late: readonly ExpectedRecord[] | undefined;
  /** Key → JSON text. */
  readonly state: ReadonlyMap<string, string> | undefined;
  /** Fields of the file that the form does not show. */
  readonly others: readonly (readonly [string, string])[];
}

export const NEW_CASE: RecordedCase = {
  node: undefined,
  steps: [],
  expect: new Map(),
  late: undefined,
  state: undefined,
  others: [],
};

const SHOWN = new Set(['format', 'node', 'steps', 'expect', 'late', 'state']);

/** Undefined for what cannot be shown as a form; whoever runs it says what is wrong. */
export function readCase(text: string): RecordedCase | undefined {
  try {
    return caseOf(objectOf(parseJson(text)));
  } catch (error) {
    if (error instanceof NoCase) return undefined;
    throw error;
  }
}

/** Which node the file names; also where it cannot be shown. */
export function nodeIn(text: string): string | undefined {
  const node = parseJson(text);
  if (node?.kind !== 'object') return undefined;
  const found = node.entries.find(([name]) => name === 'node')?.[1];
  return found?.kind === 'string' ? found.text : undefined;
}

export function writeCase({ node, steps, expect, late, state, others }: RecordedCase): string {
  const fields: (readonly [string, string] | undefined)[] = [
    ['format', '1'],
    node === undefined ? undefined : ['node', JSON.stringify(node)],
    ['steps', `[${steps.map(stepText).join(',')}]`],
    ['expect', fieldsText([...expect].map(([stream, records]) => [stream, recordsText(records)]))],
    late && ['late', recordsText(late)],
    state && ['state', fieldsText([...state])],
    ...others,
  ];
  return `${prettyJson(fieldsText(fields.filter((field) => field !== undefined)))}\n`;
}

const fieldsText = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const recordsText = (records: readonly ExpectedRecord[]): string =>
  `[${records.map(({ key, value, timestamp, pane }) => recordText({ key, value, timestamp, pane })).join(',')}]`;

interface WrittenRecord extends ExpectedRecord {
  readonly stream?: string;
}

function recordText({ stream, key, value, timestamp, pane }: WrittenRecord): string {
  const fields: (readonly [string, string] | undefined)[] = [
    stream === undefined ? undefined : ['stream', JSON.stringify(stream)],
    key === undefined ? undefined : ['key', JSON.stringify(key)],
    ['value', value],
    timestamp === undefined ? undefined : ['timestamp', String(timestamp)],
    pane === undefined ? undefined : ['pane', pane],
  ];
  return fieldsText(fields.filter((field) => field !== undefined));
}

function stepText(step: CaseStep): string {
  switch (step.kind) {
    case 'record':
      return `{"record":${recordText(step)}}`;
    case 'watermark':
    case 'wall':
      return `{"${step.kind}":${step.time}}`;
    default:
      return `{"${step.kind}":true}`;
  }
}

class NoCase extends Error {}

type Fields = ReadonlyMap<string, JsonNode>;

function objectOf(node: JsonNode | undefined): Fields {
  if (node?.kind !== 'object') throw new NoCase();
  return new Map(node.entries);
}

function listOf(node: JsonNode | undefined): readonly JsonNode[] {
  if (node?.kind !== 'array') throw new NoCase();
  return node.items;
}

function caseOf(fields: Fields): RecordedCase {
  const [late, state, format] = [fields.get('late'), fields.get('state'), fields.get('format')];
  if (format === undefined || compact(format) !== '1') throw new NoCase();
  return {
    node: textOf(fields.get('node')),
    steps: listOf(fields.get('steps')).map((step) => stepOf(objectOf(step))),
    expect: new Map(
      [...objectOf(fields.get('expect'))].map(([stream, records]) => [stream, expectedOf(records)]),
    ),
    late: late && expectedOf(late),
    state: state && new Map([...objectOf(state)].map(([key, value]) => [key, compact(value)])),
    others: [...fields].filter(([name]) => !SHOWN.has(name)).map(([name, value]) => [name, compact(value)]),
  };
}

function stepOf(fields: Fields): CaseStep {
  const [[kind, value] = []] = fields;
  if (fields.size !== 1 || value === undefined) throw new NoCase();
  switch (kind) {
    case 'record': {
      const record = objectOf(value);
      const { key, timestamp, ...rest } = partsOf(record, ['stream', 'key', 'value', 'timestamp', 'pane']);
      const stream = textOf(record.get('stream'));
      if (stream === undefined || timestamp === undefined) throw new NoCase();
      return { kind, stream, key, timestamp, ...rest };
    }
    case 'watermark':
    case 'wall':
      return { kind, time: timeOf(value) };
    case 'restart':
    case 'end':
      if (compact(value) !== 'true') throw new NoCase();
      return { kind };
    default:
      throw new NoCase();
  }
}

const expectedOf = (node: JsonNode): readonly ExpectedRecord[] =>
  listOf(node).map((record) => partsOf(objectOf(record), ['key', 'value', 'timestamp', 'pane']));

function partsOf(fields: Fields, known: readonly string[]): ExpectedRecord {
  const [value, pane, timestamp] = [fields.get('value'), fields.get('pane'), fields.get('timestamp')];
  if (value === undefined || [...fields.keys()].some((name) => !known.includes(name))) throw new NoCase();
  return {
    key: textOf(fields.get('key')),
    value: compact(value),
    ...(timestamp && { timestamp: timeOf(timestamp) }),
    ...(pane && { pane: compact(pane) }),
  };
}

function textOf(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== 'string') throw new NoCase();
  return node.text;
}

function timeOf(node: JsonNode): number {
  const time = node.kind === 'number' ? Number(node.text) : Number.NaN;
  if (!Number.isSafeInteger(time)) throw new NoCase();
  return time;
}
