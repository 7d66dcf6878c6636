/** A pipeline folder in memory, compiled as `millrace run` compiles one on disk. */
import { buildBundle } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import { compilePlan, hasErrors, nodeTypes, type RunPlan, readFolder, validateFolder } from '@millrace/graph';

export interface ProgramFolder {
  readonly pipeline: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Program {
  readonly plan: RunPlan;
  readonly bundle: string;
}

export async function compileProgram({ pipeline, files = {} }: ProgramFolder): Promise<Program> {
  const types = nodeTypes(connectorSpecs);
  const folder = readFolder(
    new Map([['pipeline.json', JSON.stringify(pipeline, null, 2)], ...Object.entries(files)]),
  );
  const issues = validateFolder(folder, types);
  if (hasErrors(issues)) throw new Error(issues.map(({ message }) => message).join('; '));
  const plan = compilePlan(folder.pipeline, types, {});
  const built = await buildBundle(folder, plan);
  if (built.kind === 'failed') throw new Error(built.issues.map(({ message }) => message).join('; '));
  return { plan, bundle: built.code };
}
