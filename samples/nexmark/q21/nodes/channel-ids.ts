import { flatMap, input } from '@millrace/sdk';
import type { Inputs } from './streams';

const KNOWN: ReadonlyMap<string, string> = new Map([
  ['apple', '0'],
  ['google', '1'],
  ['facebook', '2'],
  ['baidu', '3'],
]);

/** Bids whose channel has an id: a well-known one, or the one in the address. */
export default flatMap(input<Inputs['in']>(), ({ auction, bidder, price, channel = '', url = '' }) => {
  const channelId = KNOWN.get(channel.toLowerCase()) ?? /(?:&|^)channel_id=([^&]*)/.exec(url)?.[1];
  return channelId === undefined ? [] : [{ auction, bidder, price, channel, channelId }];
});
