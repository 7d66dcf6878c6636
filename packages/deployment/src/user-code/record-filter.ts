/**
 * A viewer's filter over sampled records: an expression in a worker of its own without permissions. What it may
 * cost is bounded: in time for each batch, in memory; a filter that takes more is ended, with a message.
 */
import { join } from 'node:path';
import { compileExpression } from '@millrace/compiler';
import type { WorkerLauncher } from '@millrace/engine';
import { createWorkerLauncher } from '@millrace/sandbox';
import { packageFolder } from '../package-folder.ts';
import { converse } from './conversation.ts';
import type { FilteredRecord } from './messages.ts';

export interface Filtered {
  /** Places of the records to show. */
  readonly kept: readonly number[];
  /** The expression threw, or gave no boolean, for so many. */
  readonly failed: number;
  readonly error: string | undefined;
}

export interface RecordFilter {
  /** Throws with the reason when the filter is over: it took too long, its worker ended. One call at a time. */
  keep(records: readonly FilteredRecord[]): Promise<Filtered>;
  close(): void;
}

export type OpenedFilter =
  | { readonly kind: 'open'; readonly filter: RecordFilter }
  | { readonly kind: 'refused'; readonly message: string };

/** For a batch of records; to start, a worker on a busy machine needs more. */
const ANSWER_MS = 1_000;
const START_MS = 10_000;
const MEMORY_MB = 128;

/** Workers for filters; close it when there are to be no more. */
export function filterLauncher(): WorkerLauncher {
  return createWorkerLauncher({ bootFile: join(packageFolder, 'dist/user-code-boot.js') });
}

export async function openRecordFilter(launcher: WorkerLauncher, expression: string): Promise<OpenedFilter> {
  const compiled = await compileExpression(expression);
  if (compiled.kind === 'refused') return { kind: 'refused', message: refusal(expression, compiled) };
  const process = await launcher.launch({ name: 'filter', memoryMb: MEMORY_MB });
  const worker = converse(process, ANSWER_MS);
  try {
    await worker.ask({ kind: 'load-filter', code: compiled.code }, START_MS);
  } catch (error) {
    worker.end();
    return { kind: 'refused', message: (error as Error).message };
  }
  return {
    kind: 'open',
    filter: {
      async keep(records) {
        const { kept, failed, error } = await worker.ask({ kind: 'keep', records });
        return { kept: kept.filter((at) => at < records.length), failed, error };
      },
      close: () => worker.end(),
    },
  };
}

interface Refused {
  readonly message: string;
  /** In the text. */
  readonly index: number;
}

const EXAMPLE = 'write what is true of the records to show, such as value.amount > 100';
const MOST_SHOWN = 16;

/** Our own messages go on from "the filter"; TypeScript's are sentences about a place. */
function refusal(text: string, { message, index }: Refused): string {
  if (/^[a-z]/.test(message)) return `The filter ${message}: ${EXAMPLE}.`;
  const rest = text.slice(index).trim();
  const place =
    rest === '' ? 'its end' : `“${rest.slice(0, MOST_SHOWN)}${rest.length > MOST_SHOWN ? '…' : ''}”`;
  const said = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
  return `The filter cannot be read at ${place}: ${said}.`;
}
