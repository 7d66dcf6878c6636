/** Streams by where they pass, to know over how many of them something would be written. */
import { cellKey } from './cell-key.ts';
import { type Point, pointAt } from './curve.ts';
import type { DrawnStream } from './drawn-streams.ts';
import type { Box } from './geometry.ts';

const CELL = 64;
const STEP = 14;
const MOST_SAMPLES = 100;

interface Line {
  readonly id: string;
  /** Number of the question it was last counted in. */
  counted: number;
}

export class LineGrid {
  readonly #cells = new Map<number, [line: Line, at: Point][]>();
  #question = 0;

  constructor(streams: readonly DrawnStream[]) {
    for (const { id, from, to } of streams) {
      const line = { id, counted: 0 };
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const samples = Math.min(MOST_SAMPLES, Math.ceil(length / STEP) + 1);
      for (let i = 0; i <= samples; i++) this.#add(line, pointAt(from, to, i / samples));
    }
  }

  /** How many others pass there. */
  through({ x, y, width, height }: Box, except: string): number {
    const question = ++this.#question;
    let found = 0;
    for (let i = Math.floor(x / CELL); i <= Math.floor((x + width) / CELL); i++)
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + height) / CELL); j++)
        for (const [line, [px, py]] of this.#cells.get(cellKey(i, j)) ?? []) {
          if (line.counted === question || line.id === except) continue;
          if (px <= x || px >= x + width || py <= y || py >= y + height) continue;
          line.counted = question;
          found++;
        }
    return found;
  }

  #add(line: Line, at: Point): void {
    const cell = cellKey(Math.floor(at[0] / CELL), Math.floor(at[1] / CELL));
    const there = this.#cells.get(cell);
    if (there === undefined) this.#cells.set(cell, [[line, at]]);
    else there.push([line, at]);
  }
}
