import { durationSetting, type NodeTypeSpec, parseDuration, secretSetting } from '@millrace/graph';
import { z } from 'zod';
import { ownRecord } from '../shared/own-record.ts';

export const MOST_ROWS = 10_000;
const LONGEST_TIMEOUT_MS = 10 * 60_000;

/** Set by the sink itself, or by the connection. */
const OWN_HEADERS: readonly string[] = [
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer'],
  ...['expect', 'idempotency-key', 'proxy-connection'],
];

/** Headers that carry a credential by their nature: their content is a secret and no text of a pipeline. */
const SECRET_HEADER =
  /^(proxy-)?authorization$|^cookie$|(api|access|auth)[-_]?(key|token)|token$|secret|password/;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not the name of a header')
  .refine((name) => !OWN_HEADERS.includes(name.toLowerCase()), 'is a header that is set by itself');

const headerText = z.string().regex(/^[\x20-\x7e\t]{0,8000}$/, 'holds a character that headers cannot');

const address = z.string().superRefine((text, ctx) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (message: string): void =>
    ctx.addIssue({ code: 'custom', message, params: { secret: true } });
  if (url === undefined || !/^https?:$/.test(url.protocol))
    refuse('is not an address with http:// or https://');
  else if (url.password !== '' || url.username !== '') {
    refuse('holds a user or password; keep the whole address as a secret and write { "secret": name }');
  }
});

export const httpSinkConfig = z
  .strictObject({
    url: z
      .union([address, secretSetting()])
      .describe(
        'Where records are sent, as text or, where the address is itself a secret, `{ "secret": name }`.',
      ),
    method: z.enum(['POST', 'PUT', 'PATCH']).describe('Default: POST.').optional(),
    batch: z
      .enum(['one', 'array', 'ndjson'])
      .describe(
        'What a request holds. `one`: a record. `array`: several, as a JSON array. `ndjson`: several, one a line. Default: one.',
      )
      .optional(),
    size: z
      .int()
      .min(1)
      .max(MOST_ROWS)
      .describe('Records in a request at most, for `array` and `ndjson`. Default: 100.')
      .optional(),
    body: z
      .enum(['record', 'value'])
      .describe(
        '`record`: id, key, value, timestamp and, where there is one, pane. `value`: the value alone. Default: record.',
      )
      .optional(),
    headers: ownRecord(headerName, z.union([headerText, secretSetting()]))
      .refine((headers) => Object.keys(headers).length <= 50, 'names more than 50 headers')
      .describe('Further headers: a text, or `{ "secret": name }`.')
      .meta({ advanced: true })
      .optional(),
    timeout: durationSetting()
      .refine((text) => {
        const ms = parseDuration(text) ?? 0;
        return ms >= 1 && ms <= LONGEST_TIMEOUT_MS;
      }, 'must be longer than nothing and at most 10m')
      .describe('For a request and its answer; after that it is sent again. Default: 30s.')
      .meta({ advanced: true })
      .optional(),
    parallel: z
      .int()
      .min(1)
      .max(32)
      .describe('Requests under way at once. Records of one key keep their order. Default: 1.')
      .meta({ advanced: true })
      .optional(),
  })
  .superRefine((config, ctx) => {
    if (config.size !== undefined && (config.batch ?? 'one') === 'one') {
      ctx.addIssue({
        code: 'custom',
        path: ['size'],
        message: 'only has a meaning where batch is array or ndjson',
      });
    }
    const seen = new Set<string>();
    for (const [name, content] of Object.entries(config.headers ?? {})) {
      const lower = name.toLowerCase();
      if (seen.has(lower))
        ctx.addIssue({ code: 'custom', path: ['headers', name], message: 'is named twice' });
      seen.add(lower);
      if (typeof content !== 'string' || !SECRET_HEADER.test(lower)) continue;
      ctx.addIssue({
        code: 'custom',
        path: ['headers', name],
        message: 'carries a credential and must be { "secret": name }; its value is written in the settings',
        params: { secret: true },
      });
    }
  });

export type HttpSinkConfig = z.infer<typeof httpSinkConfig>;

export const httpSinkSpec: NodeTypeSpec = {
  type: 'sink/http',
  kind: 'sink',
  title: 'HTTP',
  description:
    'Sends records to an address. At least once: after a failure some are sent again, with the record’s id as Idempotency-Key.',
  config: httpSinkConfig,
  inputs: ['in'],
  outputs: [],
};
