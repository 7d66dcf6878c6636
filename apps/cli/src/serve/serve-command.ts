/** `millrace serve`: the product on this machine, until a signal. */
import {
  openServerLog,
  type RunningServer,
  type ServeOptions,
  serveOptions,
  startServer,
} from '@millrace/server';
import type { ServeCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { makeProductFolder, productFolder } from './product-folder.ts';
import { tunnelLine } from './tunnel-line.ts';
import { untilStopped } from './until-stopped.ts';

export async function serve(command: ServeCommand, terminal: Terminal): Promise<ExitCode> {
  const options = serveOptions(command, process.env, productFolder);
  if (typeof options === 'string') {
    terminal.stderr(`millrace: ${options}\n`);
    return exitCodes.usage;
  }
  makeProductFolder(options.dataDir);
  const signals = untilStopped(process, () => process.exit(exitCodes.failed));
  const { log, file, flush } = openServerLog(options.dataDir, process.env.MILLRACE_LOG ?? 'info');
  try {
    const server = await startServer(options, log);
    for (const line of startLines(server, options, process.env)) terminal.stdout(`${line}\n`);
    await signals.stopped;
    terminal.stderr('Stopping; once more stops at once.\n');
    await server.stop();
    return exitCodes.done;
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    if (!isForUser(error)) terminal.stderr(`millrace: could not start; the log is ${file}\n`);
    throw error;
  } finally {
    flush();
    signals.release();
  }
}

/** Its message says what to do; the log has nothing to add. */
const isForUser = (error: unknown): boolean =>
  error instanceof Error && 'domain' in error && error.domain === 'user';

/** What people see: one line, and only what else they need now. */
export function startLines(
  {
    address,
    insteadOf,
    port,
    ownerLink,
    standsBy,
  }: Pick<RunningServer, 'address' | 'insteadOf' | 'port' | 'ownerLink' | 'standsBy'>,
  { host, publicUrl }: Pick<ServeOptions, 'host' | 'publicUrl'>,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const lines: string[] = [];
  if (insteadOf !== undefined) lines.push(`Port ${insteadOf} is taken by another program; this is ${port}.`);
  lines.push(
    standsBy !== undefined
      ? `Millrace stands by at ${address}: ${standsBy.for ?? 'another server'} leads, and this one takes over when that ends`
      : ownerLink === undefined
        ? `Millrace is at ${address}`
        : `Millrace is at ${address} – make the owner account (once, within 24 h): ${ownerLink}`,
  );
  if (publicUrl)
    lines.push(`Its proxy finds it at http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const tunnel = publicUrl ? undefined : tunnelLine({ host, port, env, platform: process.platform });
  if (tunnel !== undefined) lines.push(tunnel);
  return lines;
}
