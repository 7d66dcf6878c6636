/** A host of its own process, to be killed: opens the store, prints what it holds, and stays. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export interface HostProcess {
  readonly process: ChildProcess;
  /** `{ serverPid, uid }` or `{ error }`. */
  readonly first: { serverPid?: number; uid?: number; error?: string };
  ended(): Promise<void>;
}

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

export function buildHost(): { file: string; remove(): void } {
  // Inside the package, so that its imports resolve.
  const folder = mkdtempSync(path.join(packageFolder, '.host-'));
  chmodSync(folder, 0o755);
  const file = path.join(folder, 'host.mjs');
  const store = JSON.stringify(path.join(packageFolder, 'src/store.ts'));
  buildSync({
    stdin: {
      contents: `import { openStore } from ${store};
        try {
          const store = await openStore({ dataDir: process.argv[2] }, () => {});
          const pipeline = await store.pipeline('p_host');
          await pipeline.claimHost();
          console.log(JSON.stringify({ serverPid: store.serverPid(), uid: process.getuid() }));
          setInterval(() => {}, 1000);
          process.once('SIGTERM', () => store.close().then(() => process.exit(0)));
        } catch (error) { console.log(JSON.stringify({ error: String(error) })); }`,
      resolveDir: packageFolder,
      loader: 'ts',
    },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    absWorkingDir: packageFolder,
    conditions: ['millrace-source'],
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function startHost(file: string, dataDir: string, uid?: number): Promise<HostProcess> {
  const child = spawn(process.execPath, [file, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid !== undefined && { uid, gid: uid, env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' } }),
  });
  const line = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (data) => resolve(String(data))),
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { process: child, first: JSON.parse(line), ended: () => ended };
}
