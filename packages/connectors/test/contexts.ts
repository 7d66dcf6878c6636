/** Contexts that tests open connectors in; marks are kept in memory and survive a "restart" of the sink. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ConnectorContext,
  SinkContext,
  SinkDeadLetter,
  SinkMark,
  SinkRow,
  SinkText,
  SourceChunk,
} from '@millrace/engine';
import { onTestFinished } from 'vitest';

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-connectors-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function connectorContext(folder: string, now: () => number = Date.now): ConnectorContext {
  return {
    nodeId: 'n_1',
    nodeName: 'flights',
    folder,
    secret: async (name) => `secret ${name}`,
    now,
  };
}

export interface MemorySinkContext extends SinkContext {
  readonly committed: SinkMark[];
  readonly deadLetters: SinkDeadLetter[];
  readonly messages: string[];
  /** Thrown by the next commit instead of committing. */
  failNext: Error | undefined;
  log(message: string): void;
}

export function memorySinkContext(folder: string, mark?: SinkMark): MemorySinkContext {
  const context: MemorySinkContext = {
    ...connectorContext(folder),
    nodeName: 'result',
    pipelineId: 'p_1',
    committed: mark === undefined ? [] : [mark],
    deadLetters: [],
    messages: [],
    failNext: undefined,
    log: (message) => context.messages.push(message),
    mark: async () => structuredClone(context.committed.at(-1)),
    async commit(next, deadLetters) {
      const fault = context.failNext;
      context.failNext = undefined;
      if (fault !== undefined) throw fault;
      context.committed.push(structuredClone(next));
      context.deadLetters.push(...deadLetters);
    },
  };
  return context;
}

export function sinkRow(
  position: number,
  ordinal: number,
  row: string,
  recordId = `${position}-${ordinal}`,
): SinkRow {
  return { position, ordinal, recordId, key: '', timestamp: 0, bytes: new TextEncoder().encode(row) };
}

/** What a sink that takes text is given of these rows. */
export function sinkText(position: number, ...rows: string[]): SinkText {
  return { position, bytes: new TextEncoder().encode(rows.map((row) => `${row}\n`).join('')) };
}

export async function collect(
  chunks: AsyncIterable<SourceChunk>,
): Promise<{ text: string; first: number; sizes: number[]; last: string | undefined }> {
  const pieces: Uint8Array[] = [];
  let first = -1;
  let position = -1;
  let last: string | undefined;
  for await (const chunk of chunks) {
    last = chunk.kind;
    if (chunk.kind !== 'bytes') continue;
    if (first === -1) first = position = chunk.offset;
    if (chunk.offset !== position) throw new Error(`a gap: ${chunk.offset} follows ${position}`);
    position += chunk.bytes.length;
    pieces.push(chunk.bytes);
  }
  return {
    text: Buffer.concat(pieces).toString(),
    first,
    sizes: pieces.map((piece) => piece.length),
    last,
  };
}
