/** Typed access to the members of one JSON object; what does not fit is reported and left out. */
import type { JsonPath } from '../json/positions.ts';
import { type JsonToken, memberOf, plainValue } from '../json/token.ts';
import { nearest } from '../nearest.ts';
import type { Settings } from '../node-types.ts';
import type { Report, Where } from './report.ts';

export interface Fields {
  readonly token: JsonToken;
  readonly path: JsonPath;
  /** `node 'count' (n_count)`: how messages call the object. */
  readonly called: string;
  readonly about: Pick<Where, 'node' | 'stream'>;
  readonly report: Report;
}

export function text(fields: Fields, key: string, options: { required?: boolean } = {}): string | undefined {
  const value = member(fields, key, options.required === true);
  if (value === undefined) return undefined;
  if (value.kind === 'string') return value.value;
  wrong(fields, key, `must be a text`, value);
  return undefined;
}

export function flag(fields: Fields, key: string, standard: boolean): boolean {
  const value = member(fields, key, false);
  if (value === undefined) return standard;
  if (value.kind === 'boolean') return value.value;
  wrong(fields, key, 'must be true or false', value);
  return standard;
}

export function choice<T extends string>(fields: Fields, key: string, allowed: readonly T[]): T | undefined {
  const value = member(fields, key, false);
  if (value === undefined) return undefined;
  const found = value.kind === 'string' ? allowed.find((option) => option === value.value) : undefined;
  if (found === undefined)
    wrong(fields, key, `must be one of ${allowed.map((a) => `"${a}"`).join(', ')}`, value);
  return found;
}

export function settings(fields: Fields, key: string): Settings {
  const value = member(fields, key, false);
  if (value === undefined) return {};
  if (value.kind === 'object') return plainValue(value) as Settings;
  wrong(fields, key, 'must be an object of settings', value);
  return {};
}

export function port(fields: Fields, key: string): readonly [string, string] | undefined {
  const value = member(fields, key, true);
  if (value === undefined) return undefined;
  const [node, name, ...more] = value.kind === 'array' ? value.items : [];
  if (node?.kind === 'string' && name?.kind === 'string' && more.length === 0 && name.value !== '') {
    return [node.value, name.value];
  }
  wrong(fields, key, 'must be ["node id", "port"]', value);
  return undefined;
}

/** A misspelt key must not be ignored: `keyby` would silently leave a stream unkeyed. */
export function onlyKeys(fields: Fields, known: readonly string[]): void {
  if (fields.token.kind !== 'object') return;
  for (const { key } of fields.token.members) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    const remedy = close === undefined ? `known are ${known.join(', ')}` : `did you mean "${close}"?`;
    const where = { path: [...fields.path, key], key: true, ...fields.about };
    fields.report(
      'unknown-field',
      where,
      `${fields.called} has a field "${key}" that does not exist; ${remedy}`,
    );
  }
}

function member(fields: Fields, key: string, required: boolean): JsonToken | undefined {
  const found = memberOf(fields.token, key)?.value;
  if (found === undefined && required) {
    const where = { path: fields.path, ...fields.about };
    fields.report('missing-field', where, `${fields.called} has no "${key}"; add it`);
  }
  return found;
}

function wrong(fields: Fields, key: string, rule: string, found: JsonToken): void {
  const where = { path: [...fields.path, key], ...fields.about };
  fields.report('wrong-field', where, `${fields.called}: "${key}" ${rule}; found ${describe(found)}`);
}

export function describe(token: JsonToken): string {
  switch (token.kind) {
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    case 'null':
      return 'null';
    default:
      return JSON.stringify(token.value).slice(0, 80);
  }
}
