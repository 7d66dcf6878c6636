/**
 * Checks and builds folders, each in a limited process of its own, a few at a time. What was found of the last
 * folders is remembered by their hash: a check followed by a publish of the same draft pays once.
 */
import { availableParallelism } from 'node:os';
import { checkFolder } from '@millrace/compiler';
import { type BuiltVersion, buildVersion } from '@millrace/deployment';
import { hasErrors, type Issue, type NodeTypes, type PipelineFolder } from '@millrace/graph';
import { compileQueue, type Queued } from './compile-queue.ts';

export interface CompileRequest {
  readonly folder: PipelineFolder;
  /** `hashFolder` of its files. */
  readonly hash: string;
  /** Who asks, for a fair share. */
  readonly who: string;
}

export type Built =
  | { readonly kind: 'built'; readonly version: BuiltVersion; readonly issues: readonly Issue[] }
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] };

export interface FolderCompiler {
  check(request: CompileRequest): Promise<Queued<readonly Issue[]>>;
  build(request: CompileRequest): Promise<Queued<Built>>;
}

/** A check may take a gigabyte, so the cores are not all for it. */
const RUNNING = Math.max(1, Math.floor(availableParallelism() / 2));
const WAITING = 32;
const EACH = 4;
const REMEMBERED = 32;

export function folderCompiler(types: NodeTypes): FolderCompiler {
  const queue = compileQueue({ running: RUNNING, waiting: WAITING, each: EACH });
  const checked = new Map<string, readonly Issue[]>();

  const check = async ({ folder, hash }: CompileRequest): Promise<readonly Issue[]> => {
    const known = checked.get(hash);
    const issues = known ?? (await checkFolder(folder, types));
    if (isVerdict(issues)) remember(checked, hash, issues);
    return issues;
  };
  return {
    check: async (request) => {
      const known = checked.get(request.hash);
      return known === undefined
        ? queue.run(request.who, () => check(request))
        : { kind: 'done', result: known };
    },
    build: (request) =>
      queue.run(request.who, async (): Promise<Built> => {
        const issues = await check(request);
        if (hasErrors(issues)) return { kind: 'issues', issues };
        const built = await buildVersion({ folder: request.folder, types }, new Map());
        return 'issues' in built
          ? { kind: 'issues', issues: built.issues }
          : { kind: 'built', version: built, issues };
      }),
  };
}

/** That a check ran out of time or memory says something of the moment too: it is tried again. */
const isVerdict = (issues: readonly Issue[]): boolean =>
  !issues.some(({ code }) => /^check-(timeout|out-of-memory|crashed)$/.test(code));

function remember<V>(kept: Map<string, V>, key: string, value: V): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > REMEMBERED) kept.delete(kept.keys().next().value!);
}
