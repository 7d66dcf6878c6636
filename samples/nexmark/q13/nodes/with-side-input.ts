/** Each bid with what a small table, which is part of the program, says of its bidder. */
import { input, map } from '@millrace/sdk';
import { SIDE } from '#lib/side-table';
import type { Inputs } from './streams';

export default map(input<Inputs['in']>(), ({ auction, bidder, price, ts }) => ({
  ...{ auction, bidder, price, ts },
  side: SIDE.get(bidder % SIDE.size) ?? '',
}));
