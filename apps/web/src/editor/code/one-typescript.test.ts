/**
 * One TypeScript, twice: the page's check, in the worker and with the TypeScript that Monaco brings, says of every
 * pipeline exactly what the server's check says.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  checkRequest,
  layoutProject,
  resultIssues,
  untypedIssues,
  withoutEchoes,
} from '@millrace/compiler/layout';
import { connectorSpecs } from '@millrace/connectors/specs';
import {
  type Issue,
  nodeTypes,
  type PipelineFolder,
  readFolder,
  sortIssues,
  validateFolder,
} from '@millrace/graph';
import { describe, expect, it, vi } from 'vitest';
import { FIXTURES } from '../../../test/one-typescript-fixtures.ts';

const types = nodeTypes(connectorSpecs);

// As vite.config.ts has it: in the page there is no other TypeScript than Monaco's.
vi.doMock('typescript-js', async () => await import('./worker/typescript.ts'));
const { PipelineWorker } = await import('./worker/pipeline-worker.ts');
const { default: ofMonaco } = await import('./worker/typescript.ts');
vi.doUnmock('typescript-js');
vi.resetModules();
const { checkFolder, readCompilerVersion } = await import('@millrace/compiler');
const { default: ofServer } = await import('typescript-js');

const sdk = fileURLToPath(new URL('../../../../../packages/sdk/src/', import.meta.url));
const extraLibs = Object.fromEntries(
  readdirSync(sdk, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => [
      `file:///sdk/${name.split(path.sep).join('/')}`,
      { content: readFileSync(path.join(sdk, name), 'utf8') },
    ]),
);
const worker = new PipelineWorker({ getMirrorModels: () => [] }, { compilerOptions: {}, extraLibs });

/** As `code-project.ts` and `problem-store.ts` do it. */
async function inThePage(folder: PipelineFolder): Promise<readonly Issue[]> {
  const project = layoutProject(folder, types);
  const result = await worker.checkPipeline(checkRequest(folder, project));
  if (result === undefined) throw new Error('overtaken');
  const code = [...untypedIssues(folder, project), ...resultIssues(folder, project, result)];
  return sortIssues(withoutEchoes([...validateFolder(folder, types), ...code]));
}

describe('one TypeScript, twice', () => {
  it('both are of the same version', () => {
    expect(ofMonaco.version).toBe(readCompilerVersion());
    expect(ofMonaco).not.toBe(ofServer);
  });

  it.each(FIXTURES)('$what', async ({ files, code }) => {
    const folder = readFolder(new Map(Object.entries(files)));
    const server = await checkFolder(folder, types, { inProcess: true });
    if (code === undefined) expect(server).toEqual([]);
    else expect(server.map((issue) => issue.code)).toContain(code);
    expect(await inThePage(folder)).toEqual(server);
  });

  it('a check that is overtaken by a newer one gives way', async () => {
    const folder = readFolder(new Map(Object.entries(FIXTURES[0]?.files ?? {})));
    const request = checkRequest(folder, layoutProject(folder, types));
    const many = { ...request, targets: Array.from({ length: 400 }, () => request.targets).flat() };
    const [older, newer] = await Promise.all([worker.checkPipeline(many), worker.checkPipeline(request)]);
    expect(older).toBeUndefined();
    expect(newer?.diagnostics).toEqual([]);
  });
});
