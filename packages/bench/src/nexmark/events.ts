/**
 * The events of Nexmark, as the generator of Apache Beam makes them: people who open auctions and bid in them. An
 * event is a function of its number alone, which seeds a `java.util.Random`; the order of the draws is that of Beam.
 *
 * Of 50 events the first is a person, the next three are auctions, the rest bids. Half of the bids are for the hot
 * auction, most sellers and bidders are the hot one of their hundred. A bid or an auction may come before the
 * auction or person it names.
 */
import { JavaRandom } from './java-random.ts';

interface Stamped {
  /** Place in the file. */
  readonly n: number;
  /** Event time, ms. */
  readonly ts: number;
  /** No later event is earlier than this. */
  readonly wm: number;
}
export interface Person extends Stamped {
  readonly type: 'person';
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly creditCard: string;
  readonly city: string;
  readonly state: string;
  readonly extra: string;
}
export interface Auction extends Stamped {
  readonly type: 'auction';
  readonly id: number;
  readonly itemName: string;
  readonly description: string;
  readonly initialBid: number;
  readonly reserve: number;
  readonly expires: number;
  readonly seller: number;
  readonly category: number;
  readonly extra: string;
}
export interface Bid extends Stamped {
  readonly type: 'bid';
  readonly auction: number;
  readonly bidder: number;
  readonly price: number;
  readonly extra: string;
  readonly channel?: string;
  readonly url?: string;
}
export type NexmarkEvent = Person | Auction | Bid;

export interface EventOptions {
  readonly count: number;
  /** Events are shuffled within groups of this size; a number without the factor 953. Default 1: in order. */
  readonly group?: number;
  /** Events in a second of event time. Default 10,000. */
  readonly rate?: number;
  /** Gives bids a channel and an address, which q16, q21 and q22 ask about; Beam's have none. */
  readonly channels?: boolean;
}

const BEGIN = Date.UTC(2015, 6, 15);
const EPOCH = 50;
const AUCTIONS = 3;
const FIRST_ID = 1000;
const HUNDRED = 100;
const IN_FLIGHT = 100;
const ACTIVE_PEOPLE = 1000;
/** Ids are named that far ahead of the events that make them. */
const LEAD = 10;

const words = (text: string): readonly string[] => text.split(',');
const STATES = words('AZ,CA,ID,OR,WA,WY');
const CITIES = words('Phoenix,Los Angeles,San Francisco,Boise,Portland,Bend,Redmond,Seattle,Kent,Cheyenne');
const FIRST_NAMES = words('Peter,Paul,Luke,John,Saul,Vicky,Kate,Julie,Sarah,Deiter,Walter');
const LAST_NAMES = words('Shultz,Abrams,Spencer,White,Bartels,Walton,Smith,Jones,Noris');
const CHANNELS = words('Google,Facebook,Baidu,Apple');

export function* nexmarkEvents({
  count,
  group = 1,
  rate = 10_000,
  channels = false,
}: EventOptions): Generator<NexmarkEvent> {
  const delayUs = Math.floor((1_000_000 + Math.floor(rate / 2)) / rate);
  const timeOf = (event: number): number => BEGIN + Math.floor((event * delayUs) / 1000);
  for (let n = 0; n < count; n += 1) {
    const begin = Math.floor(n / group) * group;
    const event = begin + ((n * 953) % group);
    const stamp: Stamped = { n, ts: timeOf(event), wm: timeOf(begin) };
    const random = new JavaRandom(event);
    const place = event % EPOCH;
    if (place === 0) yield person(stamp, event, random);
    else if (place <= AUCTIONS) yield auction(stamp, event, random, timeOf);
    else yield channels ? withChannel(bid(stamp, event, random), event) : bid(stamp, event, random);
  }
}

/** As a line of the files of events: JSON, of it ASCII only. */
export function eventLine(event: NexmarkEvent): string {
  return JSON.stringify(event).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function person(stamp: Stamped, event: number, random: JavaRandom): Person {
  const name = `${drawn(FIRST_NAMES, random)} ${drawn(LAST_NAMES, random)}`;
  const email = `${someLetters(random, 7)}@${someLetters(random, 5)}.com`;
  const creditCard = [0, 0, 0, 0].map(() => String(random.nextBelow(10_000)).padStart(4, '0')).join(' ');
  const city = drawn(CITIES, random);
  const state = drawn(STATES, random);
  const size = 8 + name.length + email.length + creditCard.length + city.length + state.length;
  const extra = filler(random, size, 200);
  return {
    ...stamp,
    type: 'person',
    id: lastPerson(event) + FIRST_ID,
    name,
    email,
    creditCard,
    city,
    state,
    extra,
  };
}

function auction(
  stamp: Stamped,
  event: number,
  random: JavaRandom,
  timeOf: (event: number) => number,
): Auction {
  const seller = FIRST_ID + (random.nextBelow(4) > 0 ? hot(lastPerson(event)) : anyPerson(event, random));
  const category = 10 + random.nextBelow(5);
  const initialBid = price(random);
  const horizon = timeOf(event + Math.floor((IN_FLIGHT * EPOCH) / AUCTIONS)) - stamp.ts;
  const expires = stamp.ts + 1 + random.nextBelow(Math.max(horizon * 2, 1));
  const itemName = someLetters(random, 20);
  const description = someLetters(random, 100);
  const reserve = initialBid + price(random);
  const extra = filler(random, 8 + itemName.length + description.length + 40, 500);
  const id = lastAuction(event) + FIRST_ID;
  return {
    ...stamp,
    ...{ type: 'auction', id, itemName, description, initialBid, reserve, expires, seller, category, extra },
  };
}

function bid(stamp: Stamped, event: number, random: JavaRandom): Bid {
  const last = lastAuction(event);
  const auctionId = FIRST_ID + (random.nextBelow(2) > 0 ? hot(last) : anyAuction(last, random));
  const isHot = random.nextBelow(4) > 0;
  const bidder = FIRST_ID + (isHot ? hot(lastPerson(event)) + 1 : anyPerson(event, random));
  const paid = price(random);
  return { ...stamp, type: 'bid', auction: auctionId, bidder, price: paid, extra: filler(random, 32, 100) };
}

/** Half of them one of four well-known channels; of the others some have their id in the address. */
function withChannel(given: Bid, event: number): Bid {
  const random = new JavaRandom(event + 2 ** 40);
  const path = [0, 0, 0].map(() => someLetters(random, 5).replaceAll(' ', '_')).join('/');
  const url = `https://www.nexmark.example/${path}/item.htm?query=1`;
  if (random.nextBelow(2) === 0) return { ...given, channel: drawn(CHANNELS, random), url };
  const number = random.nextBelow(100);
  const id = random.nextBelow(10) === 0 ? '' : `&channel_id=${number}`;
  return { ...given, channel: `channel-${number}`, url: url + id };
}

const lastPerson = (event: number): number => Math.floor(event / EPOCH);

function lastAuction(event: number): number {
  const [epoch, place] = [Math.floor(event / EPOCH), event % EPOCH];
  if (place === 0) return epoch * AUCTIONS - 1;
  return epoch * AUCTIONS + Math.min(place, AUCTIONS) - 1;
}

const hot = (last: number): number => Math.floor(last / HUNDRED) * HUNDRED;

function anyPerson(event: number, random: JavaRandom): number {
  const people = lastPerson(event) + 1;
  const active = Math.min(people, ACTIVE_PEOPLE);
  return people - active + random.nextBelow(active + LEAD);
}

function anyAuction(last: number, random: JavaRandom): number {
  const first = Math.max(last - IN_FLIGHT, 0);
  return first + random.nextBelow(last - first + 1 + LEAD);
}

const price = (random: JavaRandom): number => Math.round(10 ** (random.nextDouble() * 6) * 100);

function drawn(from: readonly string[], random: JavaRandom): string {
  return from[random.nextBelow(from.length)] ?? '';
}

/** From 3 letters to fewer than `most`, a few of them spaces. */
function someLetters(random: JavaRandom, most: number): string {
  let text = '';
  for (let left = 3 + random.nextBelow(most - 3); left > 0; left -= 1) {
    text += random.nextBelow(13) === 0 ? ' ' : String.fromCharCode(97 + random.nextBelow(26));
  }
  return text.trim();
}

/** Brings an event of `size` bytes to about `wanted`. Six letters come of each draw, whose sign the remainder keeps. */
function filler(random: JavaRandom, size: number, wanted: number): string {
  if (size > wanted) return '';
  const short = wanted - size;
  const spread = Math.round(short * 0.2);
  const length = short - spread + (spread === 0 ? 0 : random.nextBelow(2 * spread));
  let text = '';
  let drawnBits = 0;
  for (let i = 0; i < length; i += 1) {
    if (i % 6 === 0) drawnBits = random.nextInt();
    text += String.fromCharCode(97 + (drawnBits % 26));
    drawnBits = Math.trunc(drawnBits / 26);
  }
  return text;
}
