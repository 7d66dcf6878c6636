/** What of one node differs, setting by setting and file by file. Pure. */
import { canonicalJson, type Node, parameterOf, type Stream, secretOf } from '@millrace/graph';
import { compareWords as words } from '../../../text/strings/compare.ts';
import type { VersionGraph } from './version-graph.ts';

export interface ChangedSetting {
  /** Where it stands: `Window · size`. */
  readonly label: string;
  /** Undefined: it was not set. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface NodeDifference {
  readonly settings: readonly ChangedSetting[];
  readonly files: readonly ChangedFile[];
}

export function nodeDifference(before: VersionGraph, after: VersionGraph, id: string): NodeDifference {
  const [old, now] = [before, after].map((graph) => factsOf(graph, id));
  const labels = [...new Set([...old!.keys(), ...now!.keys()])];
  const settings = labels
    .map((label): ChangedSetting => ({ label, before: old!.get(label), after: now!.get(label) }))
    .filter((row) => row.before !== row.after);
  const code = changedFile(
    [before, after].map(({ reading }) => reading.pipeline.nodes.get(id)?.code),
    before,
    after,
  );
  return { settings, files: code === undefined ? [] : [code] };
}

export function fileDifference(before: VersionGraph, after: VersionGraph, path: string): ChangedFile {
  return {
    path,
    before: before.folder.files.get(path) ?? null,
    after: after.folder.files.get(path) ?? null,
  };
}

/** A file that got another name with its node is one file. */
function changedFile(
  [old, now]: readonly (string | undefined)[],
  before: VersionGraph,
  after: VersionGraph,
): ChangedFile | undefined {
  const texts = {
    before: old === undefined ? null : (before.folder.files.get(old) ?? null),
    after: now === undefined ? null : (after.folder.files.get(now) ?? null),
  };
  const path = now ?? old;
  return path === undefined || texts.before === texts.after ? undefined : { path, ...texts };
}

function factsOf({ reading: { pipeline } }: VersionGraph, id: string): Map<string, string> {
  const node = pipeline.nodes.get(id);
  const facts = new Map<string, string>();
  if (node === undefined) return facts;
  facts.set(words.facts.name, node.name);
  for (const [label, value] of leaves(node.config)) facts.set(label, value);
  addSwitches(facts, node);
  const nameOf = (of: string): string => pipeline.nodes.get(of)?.name ?? of;
  for (const stream of pipeline.streams.values()) addStream(facts, stream, id, nameOf);
  return facts;
}

function addSwitches(facts: Map<string, string>, { exactlyOnce, productions, idempotent }: Node): void {
  if (!exactlyOnce) facts.set(words.facts.exactlyOnce, words.facts.off);
  if (productions === 'weak') facts.set(words.facts.productions, words.facts.weak);
  if (idempotent) facts.set(words.facts.idempotent, words.facts.on);
}

function addStream(
  facts: Map<string, string>,
  { from, to, keyBy }: Stream,
  id: string,
  nameOf: (node: string) => string,
): void {
  if (to[0] === id) {
    const label = words.facts.input(to[1], `${nameOf(from[0])}.${from[1]}`);
    facts.set(label, words.facts.connected);
    if (keyBy !== undefined) facts.set(words.facts.key(label), keyBy);
  }
  if (from[0] === id)
    facts.set(words.facts.output(from[1], `${nameOf(to[0])}.${to[1]}`), words.facts.connected);
}

/** Every value of a tree of settings with where it stands; arrays are one value. */
function leaves(config: unknown, at: readonly string[] = []): [string, string][] {
  if (isTree(config)) return Object.entries(config).flatMap(([name, value]) => leaves(value, [...at, name]));
  return [[at.map(labelOf).join(' · '), shown(config)]];
}

function isTree(value: unknown): value is Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && parameterOf(value) === undefined && secretOf(value) === undefined;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = parameterOf(value) ?? secretOf(value);
  return reference === undefined ? canonicalJson(value).trim() : `{${reference}}`;
}

/** `idleTimeout` → `Idle timeout`. */
function labelOf(name: string): string {
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
