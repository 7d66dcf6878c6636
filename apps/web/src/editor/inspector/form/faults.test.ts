import { connectorSpecs } from '@millrace/connectors/specs';
import { describe, expect, it } from 'vitest';
import { type Faults, faultOf, faultsIn } from './faults.ts';
import { formOf } from './form-of.ts';

const spec = connectorSpecs.find(({ type }) => type === 'sink/postgres');
const fields = spec === undefined ? [] : formOf(spec.config);
const field = (name: string) => {
  const found = fields.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};
const config = { columns: { hour: {}, 'a.b': {} } };
const faults: Faults = new Map([['columns.hour.from', 'Must be filled in']]);

describe('what is wrong with a form', () => {
  it('is said by the field it is about, not by the one around it', () => {
    expect(faultOf(faults, field('columns'), config.columns)).toBeUndefined();
    const row = faultsIn(faultsIn(faults, 'columns'), 'hour');
    const { shape } = field('columns');
    if (shape.kind !== 'record' || shape.value.kind !== 'object') throw new Error('no record of forms');
    const from = shape.value.fields.find(({ name }) => name === 'from');
    expect(from && faultOf(row, from, undefined)).toBe('Must be filled in');
  });

  it('is said by the field around it where no other could', () => {
    const about = (place: string) => faultOf(new Map([[place, 'x']]), field('columns'), config.columns);
    expect(about('columns')).toBe('x');
    expect(about('columns.hour')).toBe('x');
    expect(about('columns.gone.from')).toBe('x');
    expect(about('columns.hour.unknown')).toBe('x');
    expect(about('columns.a.b.from')).toBeUndefined();
    expect(faultOf(new Map([['key.0', 'x']]), field('key'), [''])).toBe('x');
  });
});
