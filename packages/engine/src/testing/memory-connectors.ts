/** Sources and sinks in memory; the sink keeps its rows and its mark together, as a real one does. */
import type { Connectors, OpenSink, SinkRow, SourceChunk } from '../ports.ts';

export interface MemorySink {
  readonly rows: { key: string; value: unknown; timestamp: number; pane?: unknown }[];
  through: number;
}

export class MemoryConnectors implements Connectors {
  readonly sinks = new Map<string, MemorySink>();
  /** JSON lines by the `path` setting; one partition per text. */
  readonly sources = new Map<string, readonly string[]>();
  chunkBytes = 1000;
  /** Sources have nothing to read in the end, and stay open. */
  isEndless = false;

  injector(): ReturnType<Connectors['injector']> {
    return {
      open: async (config) => ({
        partitions: (this.sources.get(String(config.path)) ?? []).map((text, i) => ({
          name: `${config.path}-${i}`,
          read: (offset: number, signal: AbortSignal) => this.#read(text, offset, signal),
        })),
        close: async () => undefined,
      }),
    };
  }

  sink(): ReturnType<Connectors['sink']> {
    return {
      egress: 'line',
      open: async (_config, context): Promise<OpenSink> => {
        const sink = this.sinks.get(context.nodeName) ?? { rows: [], through: 0 };
        this.sinks.set(context.nodeName, sink);
        return {
          through: sink.through,
          deliver: async ({ rows, through }) => {
            sink.rows.push(
              ...rows.map(
                (row: SinkRow) =>
                  JSON.parse(new TextDecoder().decode(row.bytes)) as MemorySink['rows'][number],
              ),
            );
            sink.through = through;
            return { rejected: 0 };
          },
          close: async () => undefined,
        };
      },
    };
  }

  async *#read(text: string, offset: number, signal: AbortSignal): AsyncIterable<SourceChunk> {
    const bytes = new TextEncoder().encode(text);
    for (let at = offset; at < bytes.length && !signal.aborted; at += this.chunkBytes) {
      yield { kind: 'bytes', offset: at, bytes: bytes.slice(at, at + this.chunkBytes) };
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.isEndless) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    else yield { kind: 'ended' };
  }
}
