/** The sample pipelines as tests use them: read, compiled and loaded into this process. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBundle, type PipelineCode } from '@millrace/compiler';
import { compilePlan, nodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import type { Computation } from '@millrace/sdk';
import { connectorSpecs } from '../src/specs.ts';

export const samples = fileURLToPath(new URL('../../../samples/', import.meta.url));
export const types = nodeTypes(connectorSpecs);

export const prepareSamples = (): void => void execFileSync(process.execPath, [join(samples, 'prepare.mjs')]);

export function folderOf(sample: string): PipelineFolder {
  const folder = join(samples, sample);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.millrace'));
  return readFolder(
    new Map(names.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')])),
  );
}

export async function codeOf(folder: PipelineFolder): Promise<PipelineCode> {
  const plan = compilePlan(folder.pipeline, types, {});
  const built = await buildBundle(folder, plan, { inProcess: true });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return (await import(`data:text/javascript;base64,${Buffer.from(built.code).toString('base64')}`)).default;
}

export function computationOf(code: PipelineCode, node: string): Computation {
  const found = code.nodes[node];
  if (found?.kind !== 'computation') throw new Error(`no computation ${node}: ${JSON.stringify(found)}`);
  return found;
}
