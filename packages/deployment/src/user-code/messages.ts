/**
 * What the command line and its worker say to each other: JSON texts, one per frame. Replies come from a process
 * that ran user code, so `readReply` believes nothing about them.
 */
import type { NodeFacts } from './user-code.ts';

export type Request =
  | {
      readonly id: number;
      readonly kind: 'load';
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly id: number; readonly kind: 'facts' }
  | { readonly id: number; readonly kind: 'case'; readonly node: string; readonly text: string }
  /** As `case`, and what each step did. */
  | { readonly id: number; readonly kind: 'trace'; readonly node: string; readonly text: string }
  /** A module whose default export says whether to keep a record. */
  | { readonly id: number; readonly kind: 'load-filter'; readonly code: string }
  | { readonly id: number; readonly kind: 'keep'; readonly records: readonly FilteredRecord[] };

export interface FilteredRecord {
  /** Its value as JSON text. */
  readonly text: string;
  readonly key: string;
  readonly timestamp: number;
  readonly stream: string;
}

export type Reply =
  | { readonly id: number; readonly kind: 'loaded' }
  | { readonly id: number; readonly kind: 'facts'; readonly facts: readonly (readonly [string, NodeFacts])[] }
  | { readonly id: number; readonly kind: 'case'; readonly differences: readonly string[] }
  /** JSON text of a `CaseReport`, which nobody has looked at. */
  | { readonly id: number; readonly kind: 'trace'; readonly report: string }
  /** `kept`: places in the question's list, each once, rising. `failed`: the expression threw at so many. */
  | {
      readonly id: number;
      readonly kind: 'keep';
      readonly kept: readonly number[];
      readonly failed: number;
      readonly error: string | undefined;
    }
  | { readonly id: number; readonly kind: 'failed'; readonly error: string };

export type ReplyOf<K extends Request['kind']> = Extract<
  Reply,
  { kind: K extends 'load' | 'load-filter' ? 'loaded' : K }
>;

const longestText = 4_000;
const mostDifferences = 50;
/** Of a report, as its maker keeps to it. */
export const LONGEST_REPORT = 1_000_000;

export const encodeMessage = (message: Request | Reply): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(message));

/** Undefined for anything that is no reply. */
export function readReply(frame: Uint8Array): Reply | undefined {
  const found = parse(frame);
  if (!isObject(found) || typeof found.id !== 'number') return undefined;
  const { id } = found;
  switch (found.kind) {
    case 'loaded':
      return { id, kind: 'loaded' };
    case 'failed':
      return { id, kind: 'failed', error: textOf(found.error) };
    case 'trace':
      if (typeof found.report !== 'string' || found.report.length > LONGEST_REPORT) return undefined;
      return { id, kind: 'trace', report: found.report };
    case 'keep':
      return keepOf(id, found);
    case 'case': {
      if (!Array.isArray(found.differences)) return undefined;
      const differences = found.differences.slice(0, mostDifferences).map(textOf);
      return { id, kind: 'case', differences };
    }
    case 'facts': {
      if (!Array.isArray(found.facts)) return undefined;
      const facts = found.facts.map(factsOf);
      return facts.every((entry) => entry !== undefined) ? { id, kind: 'facts', facts } : undefined;
    }
    default:
      return undefined;
  }
}

function keepOf(id: number, { kept, failed, error }: Record<string, unknown>): Reply | undefined {
  if (!Array.isArray(kept) || typeof failed !== 'number') return undefined;
  if (!kept.every((at, i) => Number.isSafeInteger(at) && at >= 0 && (i === 0 || at > kept[i - 1])))
    return undefined;
  return { id, kind: 'keep', kept, failed, error: error === undefined ? undefined : textOf(error) };
}

function factsOf(entry: unknown): readonly [string, NodeFacts] | undefined {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !isObject(entry[1])) return undefined;
  const { stateless, stateVersion, stateShape, migrates } = entry[1];
  if (typeof stateVersion !== 'number') return undefined;
  const shape = typeof stateShape === 'string' ? stateShape : undefined;
  return [
    entry[0],
    { stateless: stateless === true, stateVersion, stateShape: shape, migrates: migrates === true },
  ];
}

function parse(frame: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(frame));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string => String(value).slice(0, longestText);
