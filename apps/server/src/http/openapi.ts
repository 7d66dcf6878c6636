/** The OpenAPI 3.1 document, made from the table of routes and nothing else. */
import { problemSchema, type RouteId, type RouteSpec, routeIds, routeSpec } from '@millrace/protocol/api';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

export function openApiDocument(version: string) {
  const paths: Record<string, Record<string, Json>> = {};
  for (const id of routeIds) {
    const spec = routeSpec(id);
    const path = openApiPath(spec.path);
    paths[path] = { ...paths[path], [spec.method]: operation(id, spec) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Millrace', version },
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'millrace_<instance>' },
      },
    },
  };
}

export const openApiPath = (path: string): string => path.replace(/[:*]([A-Za-z]\w*)/g, '{$1}');

function operation(id: RouteId, spec: RouteSpec): Json {
  return {
    operationId: id,
    summary: spec.summary,
    tags: [id.split('.')[0]],
    'x-permission': spec.permission,
    ...(spec.permission !== 'public' && { security: [{ token: [] }, { session: [] }] }),
    parameters: parameters(spec),
    ...requestBody(spec),
    responses: {
      [spec.response || spec.media ? (spec.status ?? 200) : 204]: success(spec),
      default: {
        description: 'A refusal; its `code` says which.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function parameters(spec: RouteSpec): readonly Json[] {
  const named = (spec.path.match(/[:*][A-Za-z]\w*/g) ?? []).map((name) => ({
    name: name.slice(1),
    in: 'path',
    required: true,
    schema: spec.params ? schemaOf(spec.params, name.slice(1)) : { type: 'string' },
  }));
  const asked = Object.entries(spec.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(schema as z.ZodType, 'input'),
  }));
  const ifMatch = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } };
  return [...named, ...asked, ...(spec.ifMatch ? [ifMatch] : [])];
}

const schemaOf = (params: z.ZodObject, name: string): Json =>
  name in params.shape ? jsonSchema(params.shape[name] as z.ZodType, 'input') : { type: 'string' };

function requestBody(spec: RouteSpec): Json {
  if (spec.input === 'stream')
    return { requestBody: { content: { 'application/octet-stream': { schema: {} } } } };
  if (!spec.body) return {};
  const schema = jsonSchema(spec.body, 'input');
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function success(spec: RouteSpec): Json {
  if (spec.media) return { description: 'Done.', content: { [spec.media]: {} } };
  if (!spec.response) return { description: 'Done.' };
  const schema = jsonSchema(spec.response, 'output');
  return { description: 'Done.', content: { 'application/json': { schema } } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
