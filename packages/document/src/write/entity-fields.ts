/** From values to the fields an entity is made of; defaults are left out, as in the folder form. */
import type { Node, Parameter, Stream } from '@millrace/graph';
import type { Group, Note, Placement, StreamWords } from '../read/reading.ts';
import { type Stored, toStored, wellFormed } from '../shape/stored.ts';
import { CONFIG } from '../shape/tables.ts';
import type { FieldValues } from './edit.ts';

export function nodeFields(node: Omit<Node, 'id'>): FieldValues {
  return fields({
    type: node.type,
    name: node.name,
    code: node.code,
    exactlyOnce: node.exactlyOnce ? undefined : false,
    productions: node.productions === 'strong' ? undefined : node.productions,
    idempotent: node.idempotent ? true : undefined,
    ...Object.fromEntries(Object.entries(node.config).map(([key, value]) => [CONFIG + key, value])),
  });
}

export function streamFields({ from, to, keyBy }: Omit<Stream, 'id'>, words?: StreamWords): FieldValues {
  return fields({ from, to, keyBy, name: words?.name });
}

export function parameterFields(parameter: Parameter): FieldValues {
  return fields({
    type: parameter.type,
    default: parameter.default,
    description: parameter.description,
  });
}

export function placementFields({ at, size, group }: Partial<Placement>): FieldValues {
  return fields({ at, size, group });
}

export function noteFields({ text, at, size, color }: Note): FieldValues {
  return fields({ text, at, size, color });
}

export function groupFields({ name, color, collapsed }: Group): FieldValues {
  return fields({ name, color, collapsed: collapsed ? true : undefined });
}

export function fields(values: Readonly<Record<string, unknown>>): FieldValues {
  const result = new Map<string, Stored>();
  for (const [key, value] of Object.entries(values)) {
    const stored = value === undefined ? undefined : toStored(value);
    if (stored !== undefined) result.set(wellFormed(key), stored);
  }
  return result;
}
