/** The catalog of a workspace: pipelines, drafts, versions, archives. */
import { z } from 'zod';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';

const MAX_TEXT = 20_000;
/** A folder has at most 16 MB of text; JSON escapes some of it. */
const MAX_FOLDER_BODY = 24 << 20;

/** UTC ms. */
const time = z.number();
const version = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const params = z.object({ pipeline: z.string().max(64) });
const versionParams = z.object({ pipeline: z.string().max(64), version });

/** No control character, no half of a surrogate pair: names are shown in lists, logs and file names. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'holds a control character');
const description = z
  .string()
  .max(MAX_TEXT)
  .regex(/^[^\0\p{Cs}]*$/u, 'holds a character that is no text');
const tag = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^[^\p{Cc}\p{Cs},]*$/u, 'holds a comma or a control character');
const tags = z
  .array(tag)
  .max(30)
  .transform((given) => [...new Set(given)].sort());

export const issueSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  node: z.string().exactOptional(),
  stream: z.string().exactOptional(),
  path: z.string().exactOptional().meta({ description: 'Place inside pipeline.json.' }),
  file: z.string(),
  line: z.int(),
  column: z.int(),
});

const files = z.record(z.string(), z.string()).meta({ description: 'Path inside the folder to text.' });

export const pipelineSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().meta({ description: 'Markdown.' }),
  tags: z.array(z.string()),
  revision: z.int(),
  draftRevision: z.int(),
  newestVersion: z.int().nullable(),
  sample: z.string().nullable().meta({ description: 'The sample it was made from.' }),
  readOnly: z.boolean(),
  filesFolder: z
    .string()
    .meta({ description: 'Folder under the workspace’s files that relative paths start from.' }),
  createdBy: z.string(),
  createdAt: time,
  updatedBy: z.string(),
  updatedAt: time,
  deletedBy: z.string().nullable(),
  deletedAt: time.nullable(),
  deployment: z
    .object({
      desired: z.string(),
      observed: z.string(),
      version: z.int().meta({ description: 'What should run.' }),
      running: z
        .int()
        .nullable()
        .meta({ description: 'What runs, or ran last; null before a version took over.' }),
      reason: z.string().nullable(),
    })
    .nullable(),
});

/** Middles of nodes in units of the canvas, where a node is 200 by 64. */
export const pictureSchema = z.object({
  draftRevision: z.int(),
  nodes: z.array(
    z.object({ kind: z.enum(['injector', 'computation', 'operator', 'sink']), x: z.number(), y: z.number() }),
  ),
  streams: z
    .array(z.object({ from: z.int(), to: z.int() }))
    .meta({ description: 'By the numbers of their nodes in the list.' }),
});

const draftAnswer = z.object({ revision: z.int(), hash: z.string(), issues: z.array(issueSchema) });

export const versionSchema = z.object({
  number: z.int(),
  hash: z.string(),
  message: z.string(),
  author: z.string().nullable().meta({ description: 'Null where the command line made it.' }),
  parent: z.int().nullable(),
  sdkVersion: z.string(),
  compilerVersion: z.string().nullable(),
  createdAt: time,
});

const diffSchema = z.object({
  same: z.boolean().meta({ description: 'Nothing an engine would notice is different.' }),
  name: z.object({ before: z.string(), after: z.string() }).nullable(),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      kind: z.enum(['kept', 'changed', 'new', 'removed']),
      changes: z.array(z.string()),
    }),
  ),
  streams: z.array(z.object({ id: z.string(), kind: z.enum(['kept', 'changed', 'new', 'removed']) })),
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['added', 'removed', 'changed']),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});

const importAnswer = z.object({
  applied: z.boolean(),
  pipeline: z
    .string()
    .nullable()
    .meta({ description: 'Where it went, or would go; null: a new pipeline with an id of its own.' }),
  existing: z.string().nullable().meta({
    description: 'The pipeline here that has the id of the archive: import onto it, or get a copy.',
  }),
  draftRevision: z.int().nullable(),
  diff: diffSchema,
  secrets: z.array(z.string()).meta({ description: 'To be bound before it runs.' }),
  issues: z.array(issueSchema),
});

const importOntoAnswer = importAnswer.extend({
  files: files.meta({
    description: 'What the draft holds then: whoever has it open makes the edits there, to take them back.',
  }),
});

const apply = z.stringbool().default(false).meta({ description: 'Without it nothing changes: a dry run.' });
const side = z
  .string()
  .regex(/^(draft|[1-9]\d{0,8})$/, 'must be draft or the number of a version')
  .optional();

export const catalogRoutes = defineRoutes({
  'pipelines.list': {
    method: 'get',
    path: '/api/v1/pipelines',
    permission: 'graph.read',
    summary: 'The pipelines of the workspace.',
    query: z.object({
      ...pageQuery,
      q: z
        .string()
        .max(500)
        .optional()
        .meta({ description: 'Words that must all be in name, description, tags, code or settings.' }),
      tag: z.union([tag, z.array(tag)]).optional(),
      deleted: z.stringbool().default(false),
      readOnly: z.stringbool().optional().meta({ description: 'Only samples, or none.' }),
      sort: z.enum(['name', 'updated', 'created']).default('updated'),
      order: z.enum(['asc', 'desc']).optional(),
    }),
    response: pageOf(pipelineSchema),
  },
  'pipelines.tags': {
    method: 'get',
    path: '/api/v1/pipeline-tags',
    permission: 'graph.read',
    summary: 'Every tag of the pipelines of the workspace, most used first.',
    response: z.object({ items: z.array(z.object({ tag: z.string(), count: z.int() })) }),
  },
  'pipelines.create': {
    method: 'post',
    path: '/api/v1/pipelines',
    permission: 'graph.write',
    summary: 'Makes a pipeline: blank, from a sample or template, or from a folder, whose id it keeps.',
    body: z.strictObject({
      name: name.optional(),
      description: description.optional(),
      tags: tags.optional(),
      sample: z.string().max(100).optional(),
      files: files.optional(),
    }),
    maxBody: MAX_FOLDER_BODY,
    status: 201,
    response: pipelineSchema,
  },
  'pipelines.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline',
    permission: 'graph.read',
    summary: 'One pipeline, deleted or not.',
    params,
    response: pipelineSchema,
  },
  'pipelines.picture': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/picture',
    permission: 'graph.read',
    summary: 'Where the nodes of the draft stand and what joins them: enough to draw the graph small.',
    params,
    response: pictureSchema,
  },
  'pipelines.change': {
    method: 'patch',
    path: '/api/v1/pipelines/:pipeline',
    permission: 'graph.write',
    summary: 'Changes name, description or tags. A new name stands in the draft too.',
    params,
    body: z.strictObject({
      name: name.optional(),
      description: description.optional(),
      tags: tags.optional(),
    }),
    ifMatch: true,
    response: pipelineSchema,
  },
  'pipelines.delete': {
    method: 'delete',
    path: '/api/v1/pipelines/:pipeline',
    permission: 'graph.write',
    summary: 'Deletes a pipeline that does not run. It can be restored for 30 days.',
    params,
  },
  'pipelines.restore': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/restore',
    permission: 'graph.write',
    summary: 'Brings a deleted pipeline back, with draft, versions and state.',
    params,
    response: pipelineSchema,
  },
  'pipelines.purge': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/purge',
    permission: 'settings.manage',
    summary: 'Takes a deleted pipeline away for good, with all that is stored of it.',
    params,
  },
  'pipelines.duplicate': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/duplicate',
    permission: 'graph.write',
    summary: 'A copy of the draft as a pipeline of its own; nodes keep their ids (G1). Makes a sample yours.',
    params,
    body: z.strictObject({ name: name.optional() }),
    status: 201,
    response: pipelineSchema,
  },
  'draft.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/draft',
    permission: 'graph.read',
    summary: 'The draft as a folder, with the issues of its graph.',
    params,
    response: draftAnswer.extend({
      files,
      baseVersion: z.int().nullable(),
      secrets: z.array(z.string()).meta({ description: 'Names of the secrets its settings ask for.' }),
      updatedBy: z.string(),
      updatedAt: time,
    }),
  },
  'draft.put': {
    method: 'put',
    path: '/api/v1/pipelines/:pipeline/draft',
    permission: 'graph.write',
    summary: 'Replaces the draft. Issues are told and never refuse it.',
    params,
    body: z.strictObject({ files }),
    maxBody: MAX_FOLDER_BODY,
    ifMatch: true,
    response: draftAnswer,
  },
  'draft.check': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/draft/check',
    permission: 'graph.write',
    summary: 'Every issue of the draft: graph, code and expressions.',
    params,
    response: draftAnswer,
  },
  'draft.editors': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/draft/editors',
    permission: 'graph.read',
    summary: 'Who edited the draft since a version was made, the latest first.',
    params,
    query: z.object({ since: version.optional().meta({ description: 'Default: since ever.' }) }),
    response: z.object({ items: z.array(z.object({ name: z.string(), at: time })) }),
  },
  'versions.create': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/versions',
    permission: 'graph.write',
    summary: 'Checks and builds the draft into a version. An equal one is not made twice.',
    params,
    body: z.strictObject({ message: description.max(2_000).default('') }),
    status: 201,
    response: versionSchema.extend({ isNew: z.boolean(), issues: z.array(issueSchema) }),
  },
  'versions.list': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/versions',
    permission: 'graph.read',
    summary: 'The versions of a pipeline, newest first.',
    params,
    query: z.object(pageQuery),
    response: pageOf(versionSchema),
  },
  'versions.get': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/versions/:version',
    permission: 'graph.read',
    summary: 'One version.',
    params: versionParams,
    response: versionSchema,
  },
  'versions.files': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/versions/:version/files',
    permission: 'graph.read',
    summary: 'The folder of a version.',
    params: versionParams,
    response: z.object({ files }),
  },
  'versions.restore': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/versions/:version/restore',
    permission: 'graph.write',
    summary: 'Makes the draft equal to a version. If-Match names the draft’s revision.',
    params: versionParams,
    ifMatch: true,
    response: draftAnswer,
  },
  'pipelines.diff': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/diff',
    permission: 'graph.read',
    summary: 'What differs between two versions, or a version and the draft.',
    params,
    query: z.object({
      from: side.meta({ description: 'Default: the newest version.' }),
      to: side.meta({ description: 'Default: the draft.' }),
    }),
    response: diffSchema,
  },
  'pipelines.export': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/export',
    permission: 'graph.read',
    summary: 'The folder as a zip. Header Millrace-Secrets lists the secrets to bind elsewhere.',
    params,
    query: z.object({ version: version.optional() }),
    media: 'application/zip',
  },
  'pipelines.import': {
    method: 'post',
    path: '/api/v1/pipelines/import',
    permission: 'graph.write',
    summary: 'A zip as a new pipeline. Shows what it would do; does it with apply=true.',
    query: z.object({ apply }),
    input: 'stream',
    maxBody: 8 << 20,
    response: importAnswer,
  },
  'pipelines.import-onto': {
    method: 'post',
    path: '/api/v1/pipelines/:pipeline/import',
    permission: 'graph.write',
    summary: 'A zip onto the draft of a pipeline, nodes matched by id. apply=true needs If-Match.',
    params,
    query: z.object({ apply }),
    input: 'stream',
    maxBody: 8 << 20,
    response: importOntoAnswer,
  },
  'samples.list': {
    method: 'get',
    path: '/api/v1/samples',
    permission: 'graph.read',
    summary: 'What one can start from: samples, which are in the workspace, and templates, which are not.',
    response: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          description: z.string(),
          tags: z.array(z.string()),
          group: z
            .object({ name: z.string(), description: z.string() })
            .nullable()
            .meta({ description: 'Of a template: what it is shown under. Null for a sample.' }),
          pipeline: z.string().nullable().meta({ description: 'Where it is in this workspace.' }),
        }),
      ),
    }),
  },
});
