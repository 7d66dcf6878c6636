/**
 * What a recorded case may write in place of a value that is another one in every run, or that does not matter: an
 * object with one field that begins with `$`, anywhere inside an expected value or state.
 *
 *     { "$any": true }                       anything that is there
 *     { "$type": "string" }                  text; or "number", "boolean", "array", "object", "null"
 *     { "$matches": "^id-\\d+$" }            text that the pattern finds something in
 *     { "$near": 0.3, "within": 0.001 }      a number no further away; without `within`, 1e-9 of it
 *     { "$is": { "$any": true } }            that very object: data whose fields begin with `$`
 */
import { sameData } from '../same-data.ts';

type Fields = Readonly<Record<string, unknown>>;
type Matcher = (given: unknown, actual: unknown, all: Fields) => boolean;

const TYPES = ['string', 'number', 'boolean', 'array', 'object', 'null'];

const MATCHERS: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  ['$any', (_, actual) => actual !== undefined],
  ['$type', (type, actual) => typeOf(actual) === type],
  [
    '$matches',
    (pattern, actual) => typeof actual === 'string' && new RegExp(String(pattern), 'u').test(actual),
  ],
  ['$near', (near, actual, { within }) => isNear(Number(near), actual, within)],
  ['$is', (given, actual) => sameData(given, actual)],
]);

/** Equal as data, with matchers in what is expected. */
export function matches(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return sameData(expected, actual);
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((each, i) => matches(each, actual[i]))
    );
  if (expected instanceof Date || expected instanceof Uint8Array) return sameData(expected, actual);
  const fields = expected as Fields;
  const name = matcherName(fields);
  if (name !== undefined) return MATCHERS.get(name)?.(fields[name], actual, fields) === true;
  if (typeOf(actual) !== 'object') return false;
  const [wanted, found] = [given(fields), given(actual as Fields)];
  return (
    wanted.length === found.length &&
    wanted.every((each) => found.includes(each) && matches(fields[each], (actual as Fields)[each]))
  );
}

/** What is wrong with the matchers in an expected value. */
export function matcherFaults(expected: unknown, at: string): readonly string[] {
  if (Array.isArray(expected)) return expected.flatMap((each, i) => matcherFaults(each, `${at}[${i}]`));
  if (typeof expected !== 'object' || expected === null) return [];
  const fields = expected as Fields;
  const name = matcherName(fields);
  if (name === undefined)
    return Object.entries(fields).flatMap(([field, each]) => matcherFaults(each, `${at}.${field}`));
  const fault = faultOf(name, fields);
  return fault === undefined ? [] : [`${at} ${fault}`];
}

function faultOf(name: string, fields: Fields): string | undefined {
  const value = fields[name];
  switch (name) {
    case '$any':
      return value === true ? undefined : 'has "$any", which must be true';
    case '$type':
      return TYPES.includes(value as string) ? undefined : `has "$type", which is one of ${TYPES.join(', ')}`;
    case '$matches':
      return isPattern(value) ? undefined : 'has "$matches", which must be a regular expression';
    case '$near':
      return typeof value === 'number' && ['number', 'undefined'].includes(typeof fields.within)
        ? undefined
        : 'has "$near", which must be a number, as "within" beside it';
    case '$is':
      return undefined;
    default:
      return `has ${JSON.stringify(name)}, which is no matcher; data that looks like one is written { "$is": … }`;
  }
}

function matcherName(fields: Fields): string | undefined {
  const names = given(fields);
  const name = names.find((each) => each.startsWith('$'));
  const others = names.filter((each) => each !== name && !(name === '$near' && each === 'within'));
  return others.length === 0 ? name : undefined;
}

/** Fields that are undefined count as left out. */
const given = (fields: Fields): string[] => Object.keys(fields).filter((name) => fields[name] !== undefined);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function isNear(near: number, actual: unknown, within: unknown): boolean {
  if (typeof actual !== 'number' && typeof actual !== 'bigint') return false;
  return Math.abs(Number(actual) - near) <= (typeof within === 'number' ? within : Math.abs(near) * 1e-9);
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
