import { type Computation, type Context, computation, type StreamRecord } from '../api.ts';
import type { AnyStream } from './input.ts';

/** A computation without state, map or timer: it may run wherever its input is. */
export function statelessComputation<T, U>(
  processRecord: (record: StreamRecord<T>, ctx: Context<{ out: U }>) => void | Promise<void>,
): Computation<AnyStream<T>, { out: U }> {
  return { ...computation<AnyStream<T>, { out: U }>({ processRecord }), stateless: true };
}
