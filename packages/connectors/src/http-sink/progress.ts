/**
 * How far a sink is: the mark, and within a bundle the last row that is done, so that a large bundle is not sent
 * from its beginning again after a stop.
 */
import type { SinkContext, SinkDeadLetter, SinkRow } from '@millrace/engine';
import { z } from 'zod';

/** `within`: of the bundle at `position` the rows up to `ordinal` are done. */
const detailSchema = z.object({
  within: z.object({ position: z.int(), ordinal: z.int() }).optional(),
});
type Within = NonNullable<z.infer<typeof detailSchema>['within']>;

export class Progress {
  readonly #context: SinkContext;
  #through: number;
  #within: Within | undefined;

  private constructor(context: SinkContext, through: number, within: Within | undefined) {
    this.#context = context;
    this.#through = through;
    this.#within = within;
  }

  static async read(context: SinkContext): Promise<Progress> {
    const mark = await context.mark();
    const detail = detailSchema.safeParse(mark?.detail ?? {});
    return new Progress(context, mark?.through ?? 0, detail.data?.within);
  }

  get through(): number {
    return this.#through;
  }

  isAhead({ position, ordinal }: SinkRow): boolean {
    if (position <= this.#through) return false;
    const within = this.#within;
    if (within === undefined) return true;
    return position > within.position || (position === within.position && ordinal > within.ordinal);
  }

  /** All rows up to this one are done. */
  async reach({ position, ordinal }: SinkRow, letters: readonly SinkDeadLetter[]): Promise<void> {
    const through = Math.max(this.#through, position - 1);
    const within = { position, ordinal };
    await this.#context.commit({ through, detail: { within } }, letters);
    this.#through = through;
    this.#within = within;
  }

  async finish(through: number, letters: readonly SinkDeadLetter[]): Promise<void> {
    await this.#context.commit({ through, detail: {} }, letters);
    this.#through = through;
    this.#within = undefined;
  }
}
