/**
 * What is wrong with a form, by place: `columns.hour.from` is about the field `from` of the row `hour`. It is shown
 * at the innermost field there is a label for, so that a field never says of itself what is wrong with another.
 */
import type { FieldShape, FormField } from './form-field.ts';
import { rowsOf } from './named-rows.ts';

export type Faults = ReadonlyMap<string, string>;

/** Those within one setting, by their place in it. */
export function faultsIn(faults: Faults | undefined, name: string | number): Faults | undefined {
  if (faults === undefined) return undefined;
  const prefix = `${name}.`;
  const within = [...faults].filter(([place]) => place.startsWith(prefix));
  return new Map(within.map(([place, words]) => [place.slice(prefix.length), words]));
}

/** The first one that is this field's own. */
export function faultOf(faults: Faults | undefined, field: FormField, value: unknown): string | undefined {
  const own = faults?.get(field.name);
  if (own !== undefined) return own;
  for (const [place, words] of faultsIn(faults, field.name) ?? [])
    if (!isShownWithin(field.shape, value, place)) return words;
  return undefined;
}

/** Whether a form in this setting has a field for it. */
function isShownWithin(shape: FieldShape, value: unknown, place: string): boolean {
  switch (shape.kind) {
    case 'object':
      return hasField(shape.fields, place);
    case 'variant': {
      const tag = rowsOf(value).find(([name]) => name === shape.tag)?.[1];
      return hasField(shape.variants.find(({ name }) => name === tag)?.fields ?? [], place);
    }
    case 'record':
      return isShownInRow(shape.value, rowsOf(value), place);
    case 'list':
      return isShownInRow(shape.item, Array.isArray(value) ? [...value.entries()] : [], place);
    default:
      return false;
  }
}

type Row = readonly [name: string | number, content: unknown];

function isShownInRow(shape: FieldShape, rows: readonly Row[], place: string): boolean {
  const row = rows.find(([name]) => place.startsWith(`${name}.`));
  return row !== undefined && isShownWithin(shape, row[1], place.slice(`${row[0]}.`.length));
}

const hasField = (fields: readonly FormField[], place: string): boolean =>
  fields.some(({ name }) => place === name || place.startsWith(`${name}.`));
