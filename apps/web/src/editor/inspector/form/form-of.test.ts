import { connectorSpecs } from '@millrace/connectors/specs';
import { nodeTypes } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import type { FieldShape, FormField } from './form-field.ts';
import { formOf } from './form-of.ts';

const types = nodeTypes(connectorSpecs);
const form = (type: string): readonly FormField[] => formOf(types.get(type)!.config);
const field = (type: string, name: string) => form(type).find((one) => one.name === name);

describe('a form from a schema', () => {
  it('knows how each setting is filled in', () => {
    expect(field('operator/map', 'expression')?.shape).toEqual({ kind: 'expression' });
    expect(field('injector/interval', 'every')?.shape).toEqual({ kind: 'duration', words: [] });
    expect(field('injector/interval', 'idleTimeout')?.shape).toEqual({ kind: 'duration', words: ['off'] });
    expect(field('injector/generator', 'rate')?.shape).toMatchObject({ kind: 'number', words: ['max'] });
    expect(field('injector/file', 'format')?.shape).toMatchObject({ kind: 'choice' });
    expect(field('injector/file', 'gzip')?.shape).toEqual({ kind: 'boolean' });
    expect(field('sink/http', 'url')?.shape).toEqual({ kind: 'secret', orText: true });
    expect(field('sink/postgres', 'key')?.shape).toEqual({ kind: 'list', item: { kind: 'text' } });
    expect(field('operator/aggregate', 'aggregates')?.shape).toEqual({ kind: 'aggregates' });
  });

  it('opens the forms inside a setting', () => {
    const columns = field('sink/postgres', 'columns')?.shape;
    expect(columns).toMatchObject({ kind: 'record', value: { kind: 'object' } });
    expect(field('operator/aggregate', 'window')?.shape).toMatchObject({
      kind: 'variant',
      tag: 'type',
      variants: [
        { name: 'tumbling' },
        { name: 'hopping' },
        { name: 'session' },
        { name: 'calendar' },
        { name: 'global', fields: [] },
      ],
    });
    // '1m' alone is short for the form of a time trigger.
    expect(field('operator/aggregate', 'trigger')?.shape).toMatchObject({
      kind: 'object',
      fields: [
        { name: 'early', shape: { kind: 'variant', short: ['time', 'every'], variants: { length: 5 } } },
        {},
        { name: 'onTime', shape: { kind: 'choice' } },
      ],
    });
    expect(field('operator/pattern', 'steps')?.shape).toMatchObject({
      kind: 'list',
      item: {
        kind: 'object',
        fields: [{ name: 'name' }, { name: 'where', shape: { kind: 'expression' } }, {}, {}],
      },
    });
  });

  it('puts what must be filled in first, and says what an empty field means', () => {
    expect(form('injector/file').slice(0, 2)).toMatchObject([
      { name: 'path', isRequired: true },
      { name: 'format', isRequired: true },
    ]);
    expect(field('injector/interval', 'slack')).toMatchObject({ fallback: '0s', isAdvanced: false });
    expect(field('injector/interval', 'futureBound')).toMatchObject({ fallback: '1h', isAdvanced: true });
  });

  it('every setting of every type has a help of its own and needs no JSON', () => {
    for (const [type, { config }] of types) {
      for (const one of formOf(config)) {
        expect(one.help === '' && one.fallback === undefined ? `${type}.${one.name}` : '').toBe('');
        expect([type, one.name, plain(one.shape)]).toEqual([type, one.name, true]);
      }
    }
  });
});

function plain(shape: FieldShape): boolean {
  switch (shape.kind) {
    case 'json':
      return false;
    case 'list':
      return plain(shape.item);
    case 'record':
      return plain(shape.value);
    case 'object':
      return shape.fields.every((one) => plain(one.shape));
    case 'variant':
      return shape.variants.every(({ fields }) => fields.every((one) => plain(one.shape)));
    default:
      return true;
  }
}
