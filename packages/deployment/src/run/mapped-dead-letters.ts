/**
 * A pipeline's store that tells of failed user code in lines of its TypeScript (P8). A worker only knows the
 * bundle; whoever runs a version has the map of it.
 */
import type { DeadLetterRow, PipelineStore } from '@millrace/engine';
import { type MapStack, stackMapper } from '../user-code/map-stack.ts';

interface Version {
  readonly number: number;
  readonly bundle: string;
}

export function mappingDeadLetters(store: PipelineStore, { number, bundle }: Version): PipelineStore {
  let map: MapStack | undefined;
  const mapped = (letter: DeadLetterRow): DeadLetterRow => {
    if (letter.stack === '' || letter.version !== number) return letter;
    map ??= stackMapper(bundle);
    return { ...letter, stack: map(letter.stack) };
  };
  return {
    ...store,
    fold: (sequencer, batch) =>
      store.fold(sequencer, { ...batch, deadLetters: batch.deadLetters.map(mapped) }),
  };
}
