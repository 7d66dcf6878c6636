/** Which parameters a field can take its value from. */
import { type Parameter, type ParameterType, type ParameterValue, readParameter } from '@millrace/graph';
import type { FieldShape } from './form-field.ts';

/** The type a parameter of this field has; undefined where a field takes none. */
export function parameterTypeOf(shape: FieldShape): ParameterType | undefined {
  switch (shape.kind) {
    case 'duration':
    case 'number':
    case 'boolean':
      return shape.kind;
    case 'text':
    case 'choice':
      return 'string';
    case 'secret':
      return shape.orText ? 'string' : undefined;
    default:
      return undefined;
  }
}

/** By name, those whose type fits. */
export function fitting(
  shape: FieldShape,
  parameters: ReadonlyMap<string, Parameter>,
): readonly (readonly [name: string, parameter: Parameter])[] {
  const type = parameterTypeOf(shape);
  return [...parameters]
    .filter(([, parameter]) => parameter.type === type)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What is written in a field as the default of a parameter; undefined where it is none. */
export function defaultOf(shape: FieldShape, value: unknown): ParameterValue | undefined {
  const type = parameterTypeOf(shape);
  return type === undefined || value === undefined ? undefined : readParameter(type, value);
}
