import { type NodeTypeSpec, secretSetting } from '@millrace/graph';
import { z } from 'zod';
import { ownRecord } from '../shared/own-record.ts';
import { COLUMN_TYPES, parseTable } from './identifiers.ts';
import { ROW_FIELDS } from './row-path.ts';

const from = z
  .string()
  .min(1)
  .max(1000)
  .refine((path) => ROW_FIELDS.includes(path.split('.')[0] ?? ''), {
    message: `starts with one of ${ROW_FIELDS.join(', ')}, such as value.flights or pane.start`,
  })
  // A statement ends at a zero byte: the rest would be read as something else.
  .refine((path) => !path.includes('\0'), 'holds a zero byte');

const column = z.strictObject(
  {
    from: from.describe(
      'Where its content is in a record: `key`, `timestamp`, `id`, `value.flights`, `pane.start`, …',
    ),
    type: z
      .enum(COLUMN_TYPES)
      .describe(
        'Text for key and id, bigint for timestamp and the numbers of pane, jsonb for the rest. Default: by what it holds.',
      )
      .optional(),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be an object such as { "from": "value.flights" }' : undefined,
  },
);

/** A password in the text would lie in every copy and version of the pipeline. */
const databaseUrl = z.string().superRefine((url, ctx) => {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    ctx.addIssue({
      code: 'custom',
      message: 'starts with postgres:// or postgresql://',
      params: { secret: true },
    });
  } else if (holdsPassword(url)) {
    ctx.addIssue({
      code: 'custom',
      message: 'holds a password; keep the whole address as a secret and write { "secret": name }',
      params: { secret: true },
    });
  }
});

/** What cannot be read as an address is refused when it is opened; here it is only looked through. */
function holdsPassword(url: string): boolean {
  const authority = /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  return user.includes(':') || /[?&](password|sslpassword)=/i.test(url);
}

export const columnName = z
  .string()
  .min(1)
  .refine(
    (name) => new TextEncoder().encode(name).length <= 63,
    'is longer than the 63 bytes that Postgres keeps',
  )
  .refine((name) => !name.includes('\0'), 'holds a zero byte');

export const tableSetting = (what: string) =>
  z
    .string()
    .min(1)
    .superRefine((text, ctx) => {
      const parsed = parseTable(text);
      if (parsed.kind === 'refused') ctx.addIssue({ code: 'custom', message: parsed.reason });
    })
    .describe(`${what}; \`schema.table\` for another schema than \`data\`.`);

export const databaseSetting = () =>
  z
    .union([databaseUrl, secretSetting()])
    .describe(
      'Another database, as `{ "secret": name }` or, without a password, as text. Default: the database Millrace itself uses.',
    )
    .meta({ advanced: true });

export const postgresSinkConfig = z
  .strictObject({
    table: tableSetting('The table, made if it is not there'),
    mode: z
      .enum(['append', 'upsert'])
      .describe('`append`: a row per record. `upsert`: a row per key, the last record wins. Default: append.')
      .optional(),
    columns: ownRecord(columnName, column)
      .refine(
        (columns) => Object.keys(columns).length > 0,
        'names no column; leave it out for key, value, timestamp and pane',
      )
      .refine((columns) => Object.keys(columns).length <= 1000, 'names more than 1,000 columns')
      .describe('Default: key, value, timestamp and pane.')
      .optional(),
    key: z
      .array(columnName)
      .min(1)
      .max(32)
      .describe('upsert only: the columns that make a row unique. Default: key.')
      .optional(),
    url: databaseSetting().optional(),
  })
  .superRefine((config, ctx) => {
    if (config.mode !== 'upsert') {
      if (config.key !== undefined) {
        ctx.addIssue({ code: 'custom', path: ['key'], message: 'only has a meaning where mode is upsert' });
      }
      return;
    }
    if (config.columns === undefined && config.key === undefined) return;
    const names =
      config.columns === undefined ? ['key', 'value', 'timestamp', 'pane'] : Object.keys(config.columns);
    const key = config.key ?? ['key'];
    for (const name of key) {
      if (names.includes(name)) continue;
      const remedy = config.key === undefined ? '; name those that make a row unique' : '';
      const message = `"${name}" is not among the columns (${names.join(', ')})${remedy}`;
      ctx.addIssue({ code: 'custom', path: ['key'], message });
    }
    if (new Set(key).size < key.length) {
      ctx.addIssue({ code: 'custom', path: ['key'], message: 'names a column twice' });
    }
  });

export type PostgresSinkConfig = z.infer<typeof postgresSinkConfig>;

export const postgresSinkSpec: NodeTypeSpec = {
  type: 'sink/postgres',
  kind: 'sink',
  title: 'Postgres',
  description: 'Writes records to a table, by appending or by key. Exactly once.',
  config: postgresSinkConfig,
  inputs: ['in'],
  outputs: [],
};
