/** Parameters of a pipeline: declared with a type and a default, overridden by `--param name=value`. */
import { DURATION_FORMS, parseDuration } from './durations.ts';
import { setOwn } from './json/token.ts';

export const PARAMETER_TYPES = ['duration', 'string', 'number', 'boolean'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];
export type ParameterValue = string | number | boolean;

export interface Parameter {
  readonly type: ParameterType;
  /** Without one the parameter must be given. */
  readonly default: ParameterValue | undefined;
  readonly description: string | undefined;
}

export interface ParameterProblem {
  readonly parameter: string;
  readonly code: 'unknown-parameter' | 'parameter-value' | 'missing-parameter';
  readonly message: string;
}

export interface ResolvedParameters {
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly problems: readonly ParameterProblem[];
}

export function isParameterName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name);
}

/** Overrides are texts (command line) or values already of the right type (REST). */
export type Overrides = ReadonlyMap<string, ParameterValue>;

export function resolveParameters(
  declared: ReadonlyMap<string, Parameter>,
  overrides: Overrides = new Map(),
): ResolvedParameters {
  const values: Record<string, ParameterValue> = {};
  const problems: ParameterProblem[] = [];
  for (const [name, parameter] of [...declared].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const given = overrides.get(name) ?? parameter.default;
    const value = given === undefined ? undefined : readParameter(parameter.type, given);
    if (value !== undefined) setOwn(values, name, value);
    else if (given === undefined) {
      const message = `parameter '${name}' has no default and was not given; run with --param ${name}=…`;
      problems.push({ parameter: name, code: 'missing-parameter', message });
    } else if (overrides.has(name)) {
      const message = `parameter '${name}' is ${expected(parameter.type)}; ${JSON.stringify(given)} is not`;
      problems.push({ parameter: name, code: 'parameter-value', message });
    }
  }
  for (const name of overrides.keys()) {
    if (declared.has(name)) continue;
    const message = `there is no parameter '${name}'; this pipeline declares ${listed(declared)}`;
    problems.push({ parameter: name, code: 'unknown-parameter', message });
  }
  return { values, problems };
}

/** The value in its own type, or undefined where it does not fit. */
export function readParameter(type: ParameterType, given: unknown): ParameterValue | undefined {
  switch (type) {
    case 'string':
      return typeof given === 'string' ? given : undefined;
    case 'duration':
      return typeof given === 'string' && parseDuration(given) !== undefined ? given : undefined;
    case 'number': {
      if (typeof given === 'string' && /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(given))
        given = Number(given);
      return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    }
    case 'boolean':
      if (given === true || given === 'true') return true;
      return given === false || given === 'false' ? false : undefined;
  }
}

export function expected(type: ParameterType): string {
  switch (type) {
    case 'duration':
      return `a duration such as ${DURATION_FORMS}`;
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'a finite number';
    case 'string':
      return 'a text';
  }
}

function listed(declared: ReadonlyMap<string, Parameter>): string {
  if (declared.size === 0) return 'none';
  return [...declared.keys()].map((name) => `'${name}'`).join(', ');
}
