/**
 * How far the tables that injectors read are known (`TableStanding`): of those of this worker as it has read them, of
 * others as it is committed. One that is read here counts in the bundle that reads it, as its watermark does.
 */
import { decodeSourceMark, type TableStanding } from '@millrace/protocol';
import type { InjectorStage } from './injector-stage.ts';

export class CommittedTables {
  readonly #standings = new Map<number, TableStanding>();

  /** By plan index of the injector. */
  of(node: number): TableStanding | undefined {
    return this.#standings.get(node);
  }

  take(node: number, standing: TableStanding): void {
    const known = this.#standings.get(node);
    if (known === undefined || standing.until >= known.until) this.#standings.set(node, standing);
  }

  takeFrom({ node, partitions }: InjectorStage): void {
    for (const { ingest } of partitions)
      if (ingest.standing !== undefined) this.take(node.index, ingest.standing);
  }

  /** Of an injector with this number in the store, what an earlier incarnation has left, of whichever worker. */
  restore(node: number, number: number, meta: ReadonlyMap<string, Uint8Array>): void {
    for (const [key, value] of meta) {
      if (!key.startsWith(`source/${number}/`)) continue;
      const { table } = decodeSourceMark(value);
      if (table?.standing !== undefined) this.take(node, table.standing);
    }
  }
}
