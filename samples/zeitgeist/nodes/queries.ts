import { flatMap, input } from '@millrace/sdk';
import { queryAt } from '#lib/script';
import type { Inputs } from './streams';

/** Turns the slots of all regions into queries. A slot in which nobody asks anything gives nothing. */
export default flatMap(input<Inputs[keyof Inputs]>(), ({ region, slot }) => {
  const query = queryAt(slot);
  return query === undefined ? [] : [{ region, query }];
});
