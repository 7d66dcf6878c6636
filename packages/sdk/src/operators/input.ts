/** Names the type of what comes in, so that an operator's functions and outputs are typed by it. */

declare const valueBrand: unique symbol;

export interface Input<T> {
  readonly kind: 'input';
  readonly [valueBrand]?: T;
}

const witness: Input<unknown> = Object.freeze({ kind: 'input' });

/** `input<Inputs['flights']>()`: carries a type and nothing else. */
export function input<T>(): Input<T> {
  return witness as unknown as Input<T>;
}

/** An operator takes records of every input that is wired to it. */
export type AnyStream<T> = Record<string, T>;
