/** `millrace status`: the pipelines of the server and what each of them does. */
import type { RemoteCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type Column, table } from '../text/table.ts';
import { printable } from '../text/width.ts';
import type { ServerApi } from './server-api.ts';

const columns: readonly Column[] = [
  { title: 'pipeline', align: 'left', drop: 0 },
  { title: 'state', align: 'left', drop: 0 },
  { title: 'version', align: 'right', drop: 1 },
  { title: 'newest', align: 'right', drop: 3 },
  { title: 'id', align: 'left', drop: 2 },
  { title: '', align: 'left', drop: 4 },
];

export async function status(command: RemoteCommand, api: ServerApi, terminal: Terminal): Promise<ExitCode> {
  const pipelines = await allPipelines(api);
  if (command.json) {
    terminal.stdout(`${JSON.stringify({ ok: true, pipelines })}\n`);
    return exitCodes.done;
  }
  const rows = pipelines.map(({ id, name, deployment, newestVersion }) => [
    printable(name),
    deployment === null ? 'not deployed' : stateText(deployment),
    deployment === null ? '' : versionText(deployment),
    newestVersion === null ? '' : `v${newestVersion}`,
    id,
    printable(deployment?.reason ?? ''),
  ]);
  const [head = '', ...lines] = table(columns, rows, terminal.size().columns);
  for (const line of [terminal.style.dim(head), ...lines]) terminal.stdout(`${line}\n`);
  return exitCodes.done;
}

/** What is wished for, where it is not what is seen. */
function stateText({ desired, observed }: { readonly desired: string; readonly observed: string }): string {
  return desired === observed || observed === 'ended' ? observed : `${observed} (to be ${desired})`;
}

/** What runs; what should, where that has not taken over. */
export function versionText({
  version,
  running,
}: {
  readonly version: number;
  readonly running: number | null;
}) {
  return running === null || running === version ? `v${version}` : `v${running} (to be v${version})`;
}

async function allPipelines(api: ServerApi) {
  const query = { sort: 'name', limit: 200 };
  const first = await api.call('pipelines.list', { query });
  const pipelines = [...first.items];
  let { next } = first;
  while (next !== null) {
    const page = await api.call('pipelines.list', { query: { ...query, cursor: next } });
    pipelines.push(...page.items);
    next = page.next;
  }
  return pipelines;
}
