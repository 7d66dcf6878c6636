/** Turns what a config schema says into sentences: which setting, what is wrong, what to write instead. */
import { z } from 'zod';
import { nearest } from '../nearest.ts';
import type { Settings } from '../node-types.ts';
import { SECRET_INSTEAD } from '../secrets.ts';

export interface SettingProblem {
  readonly path: readonly (string | number)[];
  /** The key is the problem (an unknown setting), not its value. */
  readonly atKey: boolean;
  readonly missing: boolean;
  /** Something stands where only a secret's name may: it may be the secret itself. */
  readonly secret?: true;
  readonly message: string;
}

export function settingProblems(schema: z.ZodType, config: Settings): SettingProblem[] {
  const problems: SettingProblem[] = Object.hasOwn(config, '__proto__') ? [reserved()] : [];
  const { error } = schema.safeParse(config);
  for (const issue of error?.issues ?? []) problems.push(...sentences(schema, config, issue, []));
  return problems;
}

function sentences(
  schema: z.ZodType,
  config: Settings,
  issue: z.core.$ZodIssue,
  base: readonly PropertyKey[],
): SettingProblem[] {
  const path = [...base, ...issue.path].map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownSetting(schema, [...path, key], key));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return closestBranch(issue.errors).flatMap((inner) => sentences(schema, config, inner, path));
  }
  const name = path.length === 0 ? 'the settings' : `setting '${path.join('.')}'`;
  const missing = path.length > 0 && valueAt(config, path) === undefined;
  const text =
    missing && issue.code !== 'custom' ? `is missing${expected(issue.message)}` : lower(issue.message);
  const joined = /^(is|are|has|holds|names|must|cannot|leaves)\b/.test(text)
    ? `${name} ${text}`
    : `${name}: ${text}`;
  const shown = isSecret(issue) ? '' : found(config, path, missing);
  const secret = isSecret(issue) && !missing && { secret: true as const };
  return [{ path, atKey: false, missing, ...secret, message: joined + shown }];
}

/** What was written where a secret belongs may be the secret itself. */
function isSecret(issue: z.core.$ZodIssue): boolean {
  return issue.message === SECRET_INSTEAD || (issue.code === 'custom' && issue.params?.secret === true);
}

/** What a missing setting should be, without saying once more that it is not there. */
function expected(message: string): string {
  const wanted = /^Invalid (?:input|option): (expected .+?)(?:, received undefined)?$/.exec(message)?.[1];
  return wanted === undefined ? ` (${lower(message)})` : ` (${wanted})`;
}

/** Of a union's branches the one that was nearest: its first fault lies deepest, then fewest faults. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  const depth = (branch: readonly z.core.$ZodIssue[]): number =>
    Math.max(...branch.map((i) => i.path.length), 0);
  const sorted = [...branches].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  return sorted[0] ?? [];
}

function unknownSetting(schema: z.ZodType, path: readonly (string | number)[], key: string): SettingProblem {
  const known = path.length === 1 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const close = nearest(key, known);
  const remedy =
    close !== undefined
      ? `did you mean '${close}'?`
      : known.length > 0
        ? `known are ${known.join(', ')}`
        : 'remove it';
  return { path, atKey: true, missing: false, message: `there is no setting '${path.join('.')}'; ${remedy}` };
}

function reserved(): SettingProblem {
  const message = `there is no setting '__proto__'; remove it`;
  return { path: ['__proto__'], atKey: true, missing: false, message };
}

function found(config: Settings, path: readonly (string | number)[], missing: boolean): string {
  if (missing || path.length === 0) return '';
  const value = valueAt(config, path);
  if (typeof value === 'object' && value !== null) return '';
  return `; found ${JSON.stringify(value)?.slice(0, 80)}`;
}

function valueAt(config: Settings, path: readonly (string | number)[]): unknown {
  let value: unknown = config;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
