/** One number for a cell of a grid; canvases are no larger than 2^25 cells each way. */
export const cellKey = (column: number, row: number): number => column * 2 ** 26 + row;
