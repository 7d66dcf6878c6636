/**
 * One order of all data, so that a result need not depend on what came first: null, booleans, numbers and bigints by
 * value, strings by UTF-16 code units, dates by time, bytes, arrays element by element, objects field by field in
 * the order of their names.
 */

const FAMILIES = ['null', 'boolean', 'number', 'string', 'date', 'bytes', 'array', 'object'] as const;
type Family = (typeof FAMILIES)[number];
const RANKS: ReadonlyMap<Family, number> = new Map(FAMILIES.map((family, rank) => [family, rank]));

/** Negative, zero or positive; zero only for data that is the same. 1 lies before 1n, −0 before 0. */
export function compareData(left: unknown, right: unknown): number {
  const [a, b] = [familyOf(left), familyOf(right)];
  if (a !== b) return (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0);
  switch (a) {
    case 'null':
      return 0;
    case 'date':
      return (left as Date).getTime() - (right as Date).getTime();
    case 'bytes':
    case 'array':
      return compareLists(left as ArrayLike<unknown>, right as ArrayLike<unknown>);
    case 'object':
      return compareLists(fieldsOf(left as object), fieldsOf(right as object));
    default:
      return comparePlain(left as string, right as string);
  }
}

function familyOf(value: unknown): Family {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return 'number';
    case 'string':
      return 'string';
    default:
      if (value instanceof Date) return 'date';
      if (ArrayBuffer.isView(value)) return 'bytes';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

function comparePlain(left: string, right: string): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return tieRank(left) - tieRank(right);
}

/** Of what compares as equal, and of NaN, which is before all numbers that it is compared with. */
function tieRank(value: unknown): number {
  if (Number.isNaN(value)) return -1;
  return typeof value === 'bigint' ? 2 : Object.is(value, -0) ? 0 : 1;
}

function compareLists(left: ArrayLike<unknown>, right: ArrayLike<unknown>): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareData(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** A field that is undefined is no field: it is left out where data is written. */
function fieldsOf(value: object): unknown[] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flat();
}
