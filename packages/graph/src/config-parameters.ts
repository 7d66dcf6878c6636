/** Puts parameter values into settings that refer to them with `{ "param": name }`. */
import { setOwn } from './json/token.ts';
import type { Settings } from './node-types.ts';
import type { ParameterValue } from './parameters.ts';

export interface UnknownReference {
  readonly parameter: string;
  readonly path: readonly (string | number)[];
}

export interface AppliedParameters {
  readonly config: Settings;
  readonly unknown: readonly UnknownReference[];
}

export function applyParameters(
  config: Settings,
  values: Readonly<Record<string, ParameterValue>>,
): AppliedParameters {
  const unknown: UnknownReference[] = [];
  const replace = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => replace(item, [...path, i]));
    if (typeof value !== 'object' || value === null) return value;
    const parameter = parameterOf(value);
    if (parameter !== undefined) {
      if (Object.hasOwn(values, parameter)) return values[parameter];
      unknown.push({ parameter, path });
      return value;
    }
    const result: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) setOwn(result, key, replace(member, [...path, key]));
    return result;
  };
  return { config: replace(config, []) as Settings, unknown };
}

/** The name in `{ "param": name }`, undefined for any other value. */
export function parameterOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'param')) return undefined;
  const name = (value as { param?: unknown }).param;
  return Object.keys(value).length === 1 && typeof name === 'string' ? name : undefined;
}
