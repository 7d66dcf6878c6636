/**
 * A form from the schema of a node type's settings, by way of its JSON schema: the schema that checks a setting
 * is the only place that says what it is. `form` and `advanced` are notes the schemas carry for this.
 */
import { z } from 'zod';
import type { FieldShape, FormField } from './form-field.ts';

interface JsonSchema {
  readonly type?: string;
  readonly form?: string;
  readonly secret?: boolean;
  readonly advanced?: boolean;
  /** A plain text stands for the form of this name with the text in this field. */
  readonly short?: readonly [form: string, field: string];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const known = new WeakMap<z.ZodType, readonly FormField[]>();

/** Required fields first, then the others, each as the schema orders them. */
export function formOf(schema: z.ZodType): readonly FormField[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }) as JsonSchema;
  const fields = fieldsOf(json);
  known.set(schema, fields);
  return fields;
}

function fieldsOf({ properties, required }: JsonSchema): FormField[] {
  const fields = Object.entries(properties ?? {}).map(([name, schema]): FormField => {
    const { help, fallback } = helpOf(schema.description ?? '');
    return {
      name,
      label: labelOf(name),
      help,
      fallback,
      isRequired: required?.includes(name) === true,
      isAdvanced: schema.advanced === true,
      shape: shapeOf(schema),
    };
  });
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function shapeOf(schema: JsonSchema): FieldShape {
  if (schema.form === 'expression' || schema.form === 'aggregates' || schema.form === 'type') {
    return { kind: schema.form };
  }
  if (schema.form === 'duration') return { kind: 'duration', words: [] };
  if (schema.secret === true) return { kind: 'secret', orText: false };
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return unionOf(union, schema.short);
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum.map(String) };
  return plainOf(schema);
}

function plainOf(schema: JsonSchema): FieldShape {
  switch (schema.type) {
    case 'string':
      return { kind: 'text' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'array':
      return { kind: 'list', item: shapeOf(schema.items ?? {}) };
    case 'object':
      if (schema.properties !== undefined) return { kind: 'object', fields: fieldsOf(schema) };
      return { kind: 'record', value: shapeOf(partOf(schema.additionalProperties)) };
    default:
      return { kind: 'json' };
  }
}

function numberOf({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): FieldShape {
  const min = minimum ?? exclusiveMinimum;
  return {
    kind: 'number',
    isInteger: type === 'integer',
    words: [],
    ...(min !== undefined && min > Number.MIN_SAFE_INTEGER ? { min } : {}),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? { max: maximum } : {}),
  };
}

/** `off | duration`, `max | number`, `text | secret`, or objects told apart by a constant field. */
function unionOf(given: readonly JsonSchema[], short?: JsonSchema['short']): FieldShape {
  const parts = short === undefined ? given : given.flatMap((part) => part.oneOf ?? part.anyOf ?? []);
  const words = parts.flatMap((part) => (typeof part.const === 'string' ? [part.const] : []));
  const shapes = parts.filter((part) => typeof part.const !== 'string').map(shapeOf);
  const [only] = shapes;
  if (only === undefined) return { kind: 'choice', options: words };
  if (shapes.length === 1 && (only.kind === 'duration' || only.kind === 'number')) return { ...only, words };
  if (shapes.some(({ kind }) => kind === 'secret')) return { kind: 'secret', orText: shapes.length > 1 };
  const tag = tagOf(parts);
  if (tag === undefined) return { kind: 'json' };
  const variants = parts.map((part) => ({
    name: String(part.properties?.[tag]?.const),
    fields: fieldsOf(part).filter(({ name }) => name !== tag),
  }));
  return short === undefined ? { kind: 'variant', tag, variants } : { kind: 'variant', tag, variants, short };
}

function tagOf(parts: readonly JsonSchema[]): string | undefined {
  const names = Object.keys(parts[0]?.properties ?? {});
  return names.find((name) => parts.every((part) => typeof part.properties?.[name]?.const === 'string'));
}

function partOf(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}

/** `Default: 1.` at the end of a help says what an empty field means; it is shown in the field. */
function helpOf(description: string): { help: string; fallback: string | undefined } {
  const found = /\s*Default: ([^.]+(?:\.\d[^.]*)?)\.\s*$/.exec(description);
  const fallback = found?.[1]?.replaceAll('`', '');
  const help = description.slice(0, found?.index ?? description.length).trim();
  return { help, fallback };
}

/** `idleTimeout` → `Idle timeout`, `url` → `URL`. */
export function labelOf(name: string): string {
  if (name === 'url') return 'URL';
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
