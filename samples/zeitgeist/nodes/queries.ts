import { flatMap, input } from '@millrace/sdk';
import { queryAt } from '#lib/script';
import type { Inputs } from './streams';

/** Turns the slots of all regions into queries. Nobody asking, or a line that is down (`null`), gives nothing. */
export default flatMap(input<Inputs[keyof Inputs]>(), ({ region, slot }) => {
  const query = slot === null ? undefined : queryAt(slot);
  return query === undefined ? [] : [{ region, query }];
});
