/** From the JSON tree of pipeline.json to a `Pipeline`. Total: what cannot be read is reported and left out. */
import { isId } from '../ids.ts';
import { type JsonToken, memberOf, plainValue } from '../json/token.ts';
import { expected, PARAMETER_TYPES, type Parameter, readParameter } from '../parameters.ts';
import { FORMAT, type Node, type Pipeline, type Stream } from '../pipeline.ts';
import { choice, describe, type Fields, flag, onlyKeys, port, settings, text } from './fields.ts';
import type { Report } from './report.ts';

export const EMPTY_PIPELINE: Pipeline = {
  id: undefined,
  name: '',
  nodes: new Map(),
  streams: new Map(),
  parameters: new Map(),
};

const MAX_NAME = 200;

export function readPipeline(root: JsonToken, report: Report): Pipeline {
  const fields: Fields = { token: root, path: [], called: 'the pipeline', about: {}, report };
  if (root.kind !== 'object') {
    report('wrong-field', { path: [] }, `pipeline.json must hold an object; found ${describe(root)}`);
    return EMPTY_PIPELINE;
  }
  if (!formatIsKnown(root, report)) return EMPTY_PIPELINE;
  onlyKeys(fields, ['format', 'id', 'name', 'nodes', 'streams', 'parameters']);
  const id = text(fields, 'id');
  if (id !== undefined && !isId('p', id)) {
    report('bad-id', { path: ['id'] }, `the pipeline's id ${quoted(id)} ${idForm('p')}`);
  }
  return {
    id,
    name: readName(fields),
    nodes: readMap(fields, 'nodes', readNode),
    streams: readMap(fields, 'streams', readStream),
    parameters: readMap(fields, 'parameters', readParameterDeclaration),
  };
}

function formatIsKnown(root: JsonToken, report: Report): boolean {
  const format = memberOf(root, 'format')?.value;
  if (format?.kind === 'number' && format.value === FORMAT) return true;
  if (format === undefined) {
    const message = `pipeline.json has no "format"; this version of Millrace reads format ${FORMAT}: add "format": ${FORMAT}`;
    report('unknown-format', { path: [] }, message);
    return true;
  }
  const remedy =
    format.kind === 'number' && format.value > FORMAT
      ? 'upgrade Millrace to read it'
      : `write "format": ${FORMAT}, or export the pipeline again`;
  const found = describe(format);
  report(
    'unknown-format',
    { path: ['format'] },
    `this version of Millrace reads format ${FORMAT}, this pipeline has format ${found}; ${remedy}`,
  );
  return false;
}

type ReadMember<V> = (id: string, fields: Fields) => V | undefined;

function readMap<V>(parent: Fields, key: string, read: ReadMember<V>): Map<string, V> {
  const result = new Map<string, V>();
  const token = memberOf(parent.token, key)?.value;
  if (token === undefined) return result;
  if (token.kind !== 'object') {
    parent.report('wrong-field', { path: [key] }, `"${key}" must be an object; found ${describe(token)}`);
    return result;
  }
  for (const member of token.members) {
    const path = [key, member.key];
    const called = `${key.slice(0, -1)} ${quoted(member.key)}`;
    if (member.value.kind !== 'object') {
      parent.report('wrong-field', { path }, `${called} must be an object; found ${describe(member.value)}`);
      continue;
    }
    const value = read(member.key, { ...parent, token: member.value, path, called });
    if (value !== undefined) result.set(member.key, value);
  }
  return result;
}

function readNode(id: string, plain: Fields): Node {
  const fields = { ...plain, about: { node: id } };
  checkId(fields, 'n', id);
  onlyKeys(fields, ['type', 'name', 'code', 'config', 'exactlyOnce', 'productions', 'idempotent']);
  return {
    id,
    type: text(fields, 'type', { required: true }) ?? '',
    name: readName(fields),
    code: text(fields, 'code'),
    config: settings(fields, 'config'),
    exactlyOnce: flag(fields, 'exactlyOnce', true),
    productions: choice(fields, 'productions', ['strong', 'weak']) ?? 'strong',
    idempotent: flag(fields, 'idempotent', false),
  };
}

function readStream(id: string, plain: Fields): Stream | undefined {
  const fields = { ...plain, about: { stream: id } };
  checkId(fields, 's', id);
  onlyKeys(fields, ['from', 'to', 'keyBy']);
  const from = port(fields, 'from');
  const to = port(fields, 'to');
  const keyBy = text(fields, 'keyBy');
  return from === undefined || to === undefined ? undefined : { id, from, to, keyBy };
}

function readParameterDeclaration(name: string, fields: Fields): Parameter | undefined {
  onlyKeys(fields, ['type', 'default', 'description']);
  if (!/^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name)) {
    const message = `${fields.called} cannot be a name; use letters, digits and _, a letter first`;
    fields.report('bad-name', { path: fields.path, key: true }, message);
    return undefined;
  }
  const type = choice(fields, 'type', PARAMETER_TYPES);
  const description = text(fields, 'description');
  if (type === undefined) {
    if (memberOf(fields.token, 'type') === undefined) text(fields, 'type', { required: true });
    return undefined;
  }
  const given = memberOf(fields.token, 'default')?.value;
  if (given === undefined) return { type, default: undefined, description };
  const value = plainValue(given);
  const read =
    type !== 'duration' && type !== 'string' && typeof value === 'string'
      ? undefined
      : readParameter(type, value);
  if (read === undefined) {
    const message = `${fields.called}: the default must be ${expected(type)}; found ${describe(given)}`;
    fields.report('parameter-value', { path: [...fields.path, 'default'] }, message);
  }
  return { type, default: read, description };
}

function readName(fields: Fields): string {
  const name = text(fields, 'name', { required: true });
  if (name === undefined) return '';
  const fault =
    name.trim() === ''
      ? 'is empty; give it one'
      : name.length > MAX_NAME
        ? `is longer than ${MAX_NAME} characters; shorten it`
        : /\p{Cc}/u.test(name)
          ? 'holds a control character; remove it'
          : undefined;
  if (fault !== undefined) {
    fields.report(
      'bad-name',
      { path: [...fields.path, 'name'], ...fields.about },
      `${fields.called}: the name ${fault}`,
    );
  }
  return name;
}

function checkId(fields: Fields, prefix: 'n' | 's', id: string): void {
  if (isId(prefix, id)) return;
  fields.report(
    'bad-id',
    { path: fields.path, key: true, ...fields.about },
    `${fields.called}: the id ${idForm(prefix)}`,
  );
}

function idForm(prefix: string): string {
  return `must be '${prefix}_' followed by a-z, 0-9 or _ and at most 64 characters long`;
}

function quoted(value: string): string {
  return `'${value.slice(0, 80)}'`;
}
