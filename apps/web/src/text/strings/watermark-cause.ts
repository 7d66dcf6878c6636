import { formatCount } from '../format-number.ts';

const of = (key: string | undefined): string => (key === undefined ? 'a key' : `key ${JSON.stringify(key)}`);

export const watermarkCauseWords = {
  ask: 'Why is it here?',
  hide: 'Hide the reason',
  way: 'From here to what holds it',
  notInDraft: 'a node that is not in the draft',
  nothing: 'Nothing holds it.',
  readTo: (name: string, places: string) =>
    places === '' ? `${name} has been read up to` : `${name} has been read up to (${places})`,
  notReported: (name: string, places: string) =>
    places === '' ? `${name} has read nothing yet.` : `${name} has read nothing yet from ${places}.`,
  waits: {
    paused: 'It is paused.',
    pressure: 'It is not read, because what follows cannot keep up.',
    skew: 'It is not read, because it waits for a slower source.',
  },
  backlog: (name: string, records: number) =>
    `${formatCount(records)} ${records === 1 ? 'record is' : 'records are'} on the way to ${name}, which has not taken them`,
  oldestSince: ', the oldest since',
  record: (name: string, key: string | undefined) => `In ${name} a record of ${of(key)} waits, of`,
  state: (name: string, key: string | undefined) => `In ${name} the state of ${of(key)} holds it at`,
  timer: (name: string, tag: string | undefined, key: string | undefined) =>
    `In ${name} ${tag === undefined ? 'a timer' : `the timer ${JSON.stringify(tag)}`} of ${of(key)} holds it at`,
  due: '; it is due at',
  key: 'Key',
  source: 'Source',
  partition: 'Partition',
  request: 'Request',
  recordName: 'Record',
  position: (position: string) => `at ${position}`,
  showRecord: 'Show the record',
  showKey: 'Show what is stored',
  showLetters: (count: number) => (count === 1 ? '1 dead letter' : `${formatCount(count)} dead letters`),
} as const;
