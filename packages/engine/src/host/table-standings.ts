/**
 * How far the tables of a pipeline are known, as committed: the marks of their readers say so. Every worker is told, for
 * each looks up in them (TR3).
 */
import { decodeSourceMark, type TableStanding } from '@millrace/protocol';

const SOURCE = /^source\/(\d+)\//;

export class TableStandings {
  readonly #nodeNumbers: readonly number[];
  readonly #standings = new Map<number, TableStanding>();

  constructor(nodeNumbers: readonly number[]) {
    this.#nodeNumbers = nodeNumbers;
  }

  /** By plan index of the injector. */
  get all(): ReadonlyMap<number, TableStanding> {
    return this.#standings;
  }

  /** A mark is in the store. Returns the plan index of a table that is known further by it. */
  committed(key: string, value: Uint8Array): number | undefined {
    const node = this.#nodeNumbers.indexOf(Number(SOURCE.exec(key)?.[1]));
    const standing = node < 0 ? undefined : decodeSourceMark(value).table?.standing;
    if (
      standing === undefined ||
      standing.until <= (this.#standings.get(node)?.until ?? Number.NEGATIVE_INFINITY)
    )
      return undefined;
    this.#standings.set(node, standing);
    return node;
  }
}
