/** What the head of a request says about its body, before any of it is read. Pure. */

export type BodyFormat = 'json' | 'jsonl';

export interface BodyHead {
  readonly format: BodyFormat;
  readonly gzip: boolean;
  readonly key: string | undefined;
  readonly length: number | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'jsonl'],
  ['application/ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'jsonl'],
]);
const LONGEST_KEY = 255;

export function readHead(headers: Headers, limit: number): BodyHead | Refusal {
  const format = formatOf(text(headers['content-type']));
  if (typeof format !== 'string') return format;
  const encoding = (text(headers['content-encoding']) ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    return {
      status: 415,
      code: 'unsupported-encoding',
      detail: `The body is encoded as ${JSON.stringify(encoding)}: send it as it is, or with gzip.`,
      headers: { 'accept-encoding': 'gzip' },
    };
  const key = text(headers['idempotency-key']);
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    return badKey('it may hold printable ASCII characters only, and no spaces');
  if (key !== undefined && key.length > LONGEST_KEY)
    return badKey(`it is longer than ${LONGEST_KEY} characters`);
  const length = lengthOf(text(headers['content-length']));
  if (length !== undefined && length > limit) return tooLarge(limit);
  return { format, gzip: encoding === 'gzip', key, length };
}

export function isRefusal(head: BodyHead | Refusal): head is Refusal {
  return 'status' in head;
}

export function tooLarge(limit: number): Refusal {
  return {
    status: 413,
    code: 'too-large',
    detail: `A request may hold ${limit / 1048576} MiB, unpacked: send the records in several.`,
  };
}

function formatOf(type: string | undefined): BodyFormat | Refusal {
  const [name = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const format = FORMATS.get(name);
  const charset = parameters.find((each) => each.startsWith('charset='))?.slice('charset='.length);
  if (format !== undefined && (charset === undefined || /^"?utf-?8"?$/.test(charset))) return format;
  return {
    status: 415,
    code: 'unsupported-type',
    detail:
      format === undefined
        ? `Content-Type ${JSON.stringify(type ?? '')} is none that is taken: send application/json (a value, or an array of records) or application/x-ndjson (a record a line).`
        : `The body is in ${charset}: send UTF-8.`,
    headers: { accept: 'application/json, application/x-ndjson' },
  };
}

function badKey(why: string): Refusal {
  return { status: 400, code: 'bad-idempotency-key', detail: `The Idempotency-Key is not taken: ${why}.` };
}

function lengthOf(given: string | undefined): number | undefined {
  return given === undefined ? undefined : Number(given);
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
