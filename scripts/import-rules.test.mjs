import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from './lib/root.mjs';

const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the import rules of docs/ARCHITECTURE.md', () => {
  it('let through what is allowed', async () => {
    const allowed = "export type { B } from '@millrace/graph';\nexport const b = 1;\n";
    expect(await check(repository({ 'packages/engine/src/index.ts': allowed }))).toEqual({
      code: 0,
      errors: '',
    });
  });

  it('catch a package that imports one it may not know', async () => {
    const { code, errors } = await check(
      repository({
        'packages/sdk/src/index.ts': "import { b } from '@millrace/graph';\nexport const a = b;\n",
      }),
    );
    expect(code).toBe(1);
    expect(errors).toContain('packages/sdk/src/index.ts');
    expect(errors).toContain('imports-of-sdk');
  });

  it('catch a type import as well', async () => {
    const { errors } = await check(
      repository({
        'packages/sdk/src/index.ts': "import type { B } from '@millrace/graph';\nexport type A = B;\n",
      }),
    );
    expect(errors).toContain('imports-of-sdk');
  });

  it('catch an import of a file inside another package', async () => {
    const { errors } = await check(
      repository({ 'packages/engine/src/index.ts': "export { b } from '../../graph/src/index.ts';\n" }),
    );
    expect(errors).toContain('no-deep-imports');
  });

  it('catch I/O in graph and sdk, and Node in the data plane of a worker', async () => {
    const { errors } = await check(
      repository({
        'packages/graph/src/index.ts': "export { readFileSync as b } from 'node:fs';\nexport type B = 1;\n",
        'packages/engine/src/worker/index.ts': "export { join } from 'node:path';\n",
      }),
    );
    expect(errors).toContain('pure-packages-do-no-io');
    expect(errors).toContain('worker-is-pure');
  });

  it('catch, in the page, a library outside its folder, Node, the engine and a feature in the design system', async () => {
    const folder = repository({
      'apps/web/package.json': '{"name":"@millrace/web","type":"module","dependencies":{"yjs":"1"}}',
      'node_modules/yjs/package.json': '{"name":"yjs","type":"module","exports":"./index.js"}',
      'node_modules/yjs/index.js': 'export const Doc = 1;\n',
      'apps/web/src/document/draft.ts': "export { Doc } from 'yjs';\n",
      'apps/web/src/home/home.ts': "export { Doc } from 'yjs';\nexport { join } from 'node:path';\n",
      'apps/web/src/home/engine.ts': "export { b } from '../../../../packages/engine/src/index.ts';\n",
      'apps/web/src/ui/button.ts': "export * from '../home/engine.ts';\n",
    });
    const { errors } = await check(folder);
    expect(errors).toContain('apps/web/src/home/home.ts: error: must not import node_modules/yjs/index.js');
    expect(errors).not.toContain('apps/web/src/document/draft.ts');
    expect(errors).toContain('the-page-has-no-node');
    expect(errors).toContain('the-page-imports-what-browsers-run');
    expect(errors).toContain('the-design-system-knows-no-feature');
  });

  it('catch a cycle of files', async () => {
    const { errors } = await check(
      repository({
        'packages/sdk/src/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
        'packages/sdk/src/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
      }),
    );
    expect(errors).toContain('no-cycles');
  });
});

/** A repository with packages graph, sdk and engine, these files in it. */
function repository(files) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-rules-'));
  folders.push(folder);
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, 'node_modules/@millrace'), { recursive: true });
  mkdirSync(join(folder, 'apps'), { recursive: true });
  for (const name of ['graph', 'sdk', 'engine']) {
    const entry = { 'millrace-source': './src/index.ts' };
    const dependencies = { '@millrace/graph': '0.1.0' };
    const manifest = { name: `@millrace/${name}`, type: 'module', exports: { '.': entry }, dependencies };
    write(`packages/${name}/package.json`, JSON.stringify(manifest));
    write(`packages/${name}/src/index.ts`, 'export const b = 1;\nexport type B = 1;\n');
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@millrace', name));
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  return folder;
}

function check(folder) {
  return new Promise((done) => {
    execFile(process.execPath, [join(root, 'scripts/import-rules.mjs'), folder], (error, _stdout, stderr) =>
      done({ code: error ? error.code : 0, errors: stderr }),
    );
  });
}
