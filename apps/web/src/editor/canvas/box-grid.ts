/** Boxes by where they are: what meets one is found among a few, not among all. */
import { cellKey } from './cell-key.ts';
import type { Box } from './geometry.ts';
import { meets } from './sight.ts';

const CELL = 128;

export class BoxGrid {
  readonly #cells = new Map<number, Box[]>();

  add(box: Box): void {
    const { x, y, width, height } = box;
    for (let i = Math.floor(x / CELL); i <= Math.floor((x + width) / CELL); i++)
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + height) / CELL); j++) {
        const there = this.#cells.get(cellKey(i, j));
        if (there === undefined) this.#cells.set(cellKey(i, j), [box]);
        else there.push(box);
      }
  }

  meets(box: Box): boolean {
    const { x, y, width, height } = box;
    for (let i = Math.floor(x / CELL); i <= Math.floor((x + width) / CELL); i++)
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + height) / CELL); j++)
        for (const other of this.#cells.get(cellKey(i, j)) ?? []) if (meets(box, other)) return true;
    return false;
  }
}
