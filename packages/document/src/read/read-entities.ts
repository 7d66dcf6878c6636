/** One reader per table: from a map of fields to what it stands for. */
import type { Node, Parameter, ParameterType, ParameterValue, Stream } from '@millrace/graph';
import { setOwn } from '@millrace/graph';
import { CONFIG } from '../shape/tables.ts';
import { choice, type Entity, flag, jsonField, pair, point, text } from './entity.ts';
import type { Group, Note, Placement, SharedFile } from './reading.ts';
import { isStreamName } from './stream-name.ts';

const PARAMETER_TYPES = ['duration', 'string', 'number', 'boolean'] as const;

export function readNode(entity: Entity): Node {
  return {
    id: entity.id,
    type: text(entity, 'type') ?? '',
    name: text(entity, 'name') ?? '',
    code: text(entity, 'code'),
    config: readConfig(entity),
    exactlyOnce: flag(entity, 'exactlyOnce') ?? true,
    productions: choice(entity, 'productions', ['strong', 'weak'] as const) ?? 'strong',
    idempotent: flag(entity, 'idempotent') ?? false,
  };
}

/** Own properties in the order of their names: peers hold them in the order in which they arrived. */
function readConfig(entity: Entity): Node['config'] {
  const names = [...entity.fields.keys()].filter((key) => key.startsWith(CONFIG)).sort();
  const config: Record<string, unknown> = {};
  for (const name of names) {
    const value = jsonField(entity, name);
    if (value !== undefined) setOwn(config, name.slice(CONFIG.length), value);
  }
  return config;
}

export function readStream(entity: Entity): Stream | undefined {
  const from = pair(entity, 'from');
  const to = pair(entity, 'to');
  if (from === undefined || to === undefined) return undefined;
  return { id: entity.id, from, to, keyBy: text(entity, 'keyBy') };
}

/** Beside the stream: nothing that runs depends on it. */
export function readStreamName(entity: Entity): string | undefined {
  const name = text(entity, 'name');
  return name === undefined || isStreamName(name) ? name : undefined;
}

export function readParameter(entity: Entity): Parameter | undefined {
  const type = choice(entity, 'type', PARAMETER_TYPES);
  if (type === undefined) return undefined;
  const value = jsonField(entity, 'default');
  const fits = value !== undefined && isOfType(type, value);
  return { type, default: fits ? value : undefined, description: text(entity, 'description') };
}

export function isOfType(type: ParameterType, value: unknown): value is ParameterValue {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === (type === 'boolean' ? 'boolean' : 'string');
}

export function readSharedFile(entity: Entity): SharedFile | undefined {
  const path = text(entity, 'path');
  return path === undefined ? undefined : { id: entity.id, path };
}

export function readPlacement(entity: Entity): Placement {
  return { at: point(entity, 'at'), size: point(entity, 'size'), group: text(entity, 'group') };
}

export function readNote(entity: Entity): Note {
  return {
    text: text(entity, 'text') ?? '',
    at: point(entity, 'at') ?? [0, 0],
    size: point(entity, 'size'),
    color: text(entity, 'color'),
  };
}

export function readGroup(entity: Entity): Group {
  return {
    name: text(entity, 'name') ?? '',
    color: text(entity, 'color'),
    collapsed: flag(entity, 'collapsed') ?? false,
  };
}
