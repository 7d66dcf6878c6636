/**
 * The worker's side: loads a bundle and answers questions about it. Runs where user code runs, without Node or
 * Deno imports. User code shares its realm and could forge any answer; it would deceive only the one who runs
 * its own tests, and `readReply` on the other side takes care of the rest.
 */
import type { Computation } from '@millrace/sdk';
import { type CaseEvent, caseFaults, type RecordedCase, runCase, traceCase } from '@millrace/sdk/testing';
import { type CaseReport, reportText, spellDifference } from '../case-report.ts';
import { encodeMessage, type FilteredRecord, type Reply, type Request } from '../messages.ts';
import type { NodeFacts } from '../user-code.ts';

export interface UserCodeWorkerPorts {
  post(frame: Uint8Array): void;
  /** Evaluates a module and gives its exports. */
  loadModule(code: string): Promise<unknown>;
}

type LoadedNode = Computation | { readonly kind: 'failed'; readonly error: unknown };

interface LoadedBundle {
  readonly nodes: Readonly<Record<string, LoadedNode>>;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface UserCodeWorker {
  receive(frame: Uint8Array): void;
  /** What the code printed. */
  print(level: string, parts: readonly unknown[]): void;
}

const MOST_PRINTED = 1_000;

export function createUserCodeWorker(ports: UserCodeWorkerPorts): UserCodeWorker {
  let bundle: LoadedBundle = { nodes: {}, params: {} };
  let printed: CaseEvent[] = [];

  let filter: (value: unknown, record: unknown) => unknown = () => true;

  const answer = async (request: Request): Promise<Reply> => {
    const { id } = request;
    switch (request.kind) {
      case 'load':
        bundle = { nodes: nodesOf(await ports.loadModule(request.code)), params: request.params };
        return { id, kind: 'loaded' };
      case 'facts':
        return { id, kind: 'facts', facts: Object.entries(bundle.nodes).flatMap(factsOf) };
      case 'case':
        return { id, kind: 'case', differences: await differencesOf(bundle, request.node, request.text) };
      case 'trace': {
        printed = [];
        const take = () => printed.splice(0);
        return { id, kind: 'trace', report: reportText(await reportOf(bundle, request, take)) };
      }
      case 'load-filter':
        filter = filterOf(await ports.loadModule(request.code));
        return { id, kind: 'loaded' };
      case 'keep':
        return { id, kind: 'keep', ...keptOf(filter, request.records) };
    }
  };

  return {
    receive(frame) {
      const request = JSON.parse(new TextDecoder().decode(frame)) as Request;
      answer(request)
        .catch((error: unknown): Reply => ({ id: request.id, kind: 'failed', error: textOf(error) }))
        .then((reply) => ports.post(encodeMessage(reply)));
    },
    print(level, parts) {
      if (printed.length >= MOST_PRINTED) return;
      printed.push({ kind: 'log', level, key: '', text: parts.map(printedText).join(' ') });
    },
  };
}

function printedText(part: unknown): string {
  if (typeof part === 'string') return part;
  try {
    return part instanceof Error ? textOf(part) : (JSON.stringify(part) ?? String(part));
  } catch {
    return String(part);
  }
}

function nodesOf(module: unknown): LoadedBundle['nodes'] {
  const built = (module as { readonly default?: { readonly nodes?: LoadedBundle['nodes'] } }).default;
  if (built?.nodes === undefined)
    throw new Error('the bundle has no nodes: it was built by another version.');
  return built.nodes;
}

function factsOf([id, node]: [string, LoadedNode]): [string, NodeFacts][] {
  if (node.kind !== 'computation') return [];
  const { stateVersion = 1, migrateState } = node.handlers;
  const facts = {
    stateless: node.stateless === true,
    stateVersion,
    stateShape: node.stateShape,
    migrates: typeof migrateState === 'function',
  };
  return [[id, facts]];
}

async function differencesOf(bundle: LoadedBundle, id: string, text: string): Promise<readonly string[]> {
  const recorded = parseExact(text);
  const faults = caseFaults(recorded);
  if (faults.length > 0) return faults;
  const node = computationOf(bundle, id);
  if (typeof node === 'string') return [node];
  const { differences } = await runCase(node, recorded as RecordedCase, { params: bundle.params });
  return differences.map((difference) => difference.message);
}

async function reportOf(
  bundle: LoadedBundle,
  { node: id, text }: { readonly node: string; readonly text: string },
  printed: () => readonly CaseEvent[],
): Promise<CaseReport> {
  const node = computationOf(bundle, id);
  if (typeof node === 'string')
    return { passed: false, differences: [{ kind: 'error', message: node }], steps: [], cut: false };
  const recorded = parseExact(text) as RecordedCase;
  const traced = await traceCase(node, recorded, { params: bundle.params, printed });
  return { ...traced, differences: traced.differences.map(spellDifference), cut: false };
}

/** A text: why there is none. */
function computationOf(bundle: LoadedBundle, id: string): Computation | string {
  const node = Object.hasOwn(bundle.nodes, id) ? bundle.nodes[id] : undefined;
  if (node === undefined) return `node '${id}' is no computation of this pipeline`;
  return node.kind === 'failed' ? `node '${id}' does not load: ${textOf(node.error)}` : node;
}

function filterOf(module: unknown): (value: unknown, record: unknown) => unknown {
  const filter = (module as { readonly default?: unknown }).default;
  if (typeof filter !== 'function') throw new Error('the filter is no expression');
  return filter as (value: unknown, record: unknown) => unknown;
}

function keptOf(filter: (value: unknown, record: unknown) => unknown, records: readonly FilteredRecord[]) {
  const kept: number[] = [];
  let failed = 0;
  let error: string | undefined;
  records.forEach(({ text, ...record }, at) => {
    try {
      const value = parseExact(text);
      const verdict = filter(value, { ...record, value });
      if (typeof verdict !== 'boolean')
        throw new TypeError(
          `the filter gave ${verdict === null ? 'null' : typeof verdict}, not true or false`,
        );
      if (verdict) kept.push(at);
    } catch (thrown) {
      failed++;
      error ??= String(thrown);
    }
  });
  return { kept, failed, error };
}

/** Integers beyond ±2^53 become bigints, as in an injector's input. */
function parseExact(text: string): unknown {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? '')
      : value;
  return JSON.parse(text, exact);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
