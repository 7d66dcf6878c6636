/** Typed access to the fields of one entity. Total: what has the wrong type is reported and left out. */
import type { Issue } from '@millrace/graph';
import type * as Y from 'yjs';
import { fromStored, type Json } from '../shape/stored.ts';
import { type About, error, shown } from './problem.ts';

export interface Entity {
  readonly id: string;
  readonly fields: Y.Map<unknown>;
  readonly about: About;
  readonly problems: Issue[];
}

export type Point = readonly [x: number, y: number];

export function text(entity: Entity, field: string): string | undefined {
  const value = jsonField(entity, field);
  if (value === undefined || typeof value === 'string') return value;
  return wrong(entity, field, 'a text');
}

export function flag(entity: Entity, field: string): boolean | undefined {
  const value = jsonField(entity, field);
  if (value === undefined || typeof value === 'boolean') return value;
  return wrong(entity, field, 'true or false');
}

export function choice<T extends string>(
  entity: Entity,
  field: string,
  allowed: readonly T[],
): T | undefined {
  const value = jsonField(entity, field);
  if (value === undefined) return undefined;
  return allowed.find((option) => option === value) ?? wrong(entity, field, `one of ${allowed.join(', ')}`);
}

export function pair(entity: Entity, field: string): readonly [string, string] | undefined {
  const value = jsonField(entity, field);
  if (value === undefined) return undefined;
  const [first, second, ...more] = Array.isArray(value) ? (value as readonly Json[]) : [];
  if (typeof first === 'string' && typeof second === 'string' && second !== '' && more.length === 0) {
    return [first, second];
  }
  return wrong(entity, field, 'a node and a port');
}

export function point(entity: Entity, field: string): Point | undefined {
  const value = jsonField(entity, field);
  if (value === undefined) return undefined;
  return toPoint(value) ?? wrong(entity, field, 'two numbers');
}

/** Beyond this no canvas can show it. */
const FAR = 10_000_000;

export function toPoint(value: unknown): Point | undefined {
  const [x, y, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (typeof x !== 'number' || typeof y !== 'number' || more.length > 0) return undefined;
  return Math.abs(x) <= FAR && Math.abs(y) <= FAR ? [x, y] : undefined;
}

export function jsonField(entity: Entity, field: string): Json | undefined {
  const raw = entity.fields.get(field);
  if (raw === undefined) return undefined;
  return fromStored(raw) ?? (raw === null ? null : wrong(entity, field, 'JSON'));
}

function wrong(entity: Entity, field: string, expected: string): undefined {
  const about = { ...entity.about, path: `${entity.about.path}.${field.slice(0, 100)}` };
  const message = `${shown(entity.about.path)}: the field ${shown(field)} is not ${expected}; set it again`;
  entity.problems.push(error('wrong-field', about, message));
  return undefined;
}
