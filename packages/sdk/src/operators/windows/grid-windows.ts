/** What windows that lie alike for all keys have in common, with a trigger and without. */
import type { Row } from '../aggregates/row.ts';
import { SliceSums } from './slice-sums.ts';
import type { Slices } from './slices.ts';
import { slicesOf } from './slices-of.ts';
import type { GridWindow } from './window.ts';
import type { WindowedAggregate } from './windowed-aggregate.ts';

export abstract class GridWindows<T> {
  protected readonly slices: Slices;
  protected readonly sums: SliceSums<T>;
  protected readonly row: Row<T>;
  protected readonly latenessMs: number;
  protected readonly discarding: boolean;

  /** `keepsShared`: a running total may be kept of what a window shares with the next one. */
  constructor(operator: WindowedAggregate<T, GridWindow>, { keepsShared }: { keepsShared: boolean }) {
    this.slices = slicesOf(operator.window);
    this.sums = new SliceSums(operator.row, keepsShared ? this.slices.sharedMs : 0);
    this.row = operator.row;
    this.latenessMs = operator.latenessMs;
    this.discarding = operator.discarding;
  }
}
