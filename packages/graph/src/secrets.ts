/**
 * Settings that are secret. A pipeline holds only a secret's name, `{ "secret": name }`; the value is put in by the
 * engine host when a connector is opened.
 */
import { z } from 'zod';
import type { Settings } from './node-types.ts';

export interface SecretReference {
  readonly secret: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

/** Also marks an issue as one whose message must not repeat what was written. */
export const SECRET_INSTEAD =
  'must be { "secret": name }; a secret’s value is written in the settings, never in a pipeline';

/** Code of the issue where something else stands in the place of a secret's name. */
export const SECRET_LITERAL = 'secret-literal';

/** The schema of a setting that takes a secret's name and nothing else. */
export function secretSetting() {
  const name = z.string().refine(isSecretName, {
    message: 'is not the name of a secret: letters, digits, dots, dashes and underscores, at most 100',
  });
  return z
    .strictObject(
      { secret: name },
      { error: ({ code }) => (code === 'invalid_type' ? SECRET_INSTEAD : undefined) },
    )
    .meta({ secret: true });
}

/** The name in `{ "secret": name }`, undefined for any other value. */
export function secretOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'secret')) return undefined;
  const { secret } = value as { secret?: unknown };
  return Object.keys(value).length === 1 && typeof secret === 'string' && isSecretName(secret)
    ? secret
    : undefined;
}

/** All secrets that settings name, in no order, each once. */
export function secretNames(config: Settings): readonly string[] {
  const names = new Set<string>();
  const waiting: unknown[] = [config];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const name = secretOf(value);
    if (name !== undefined) names.add(name);
    else waiting.push(...Object.values(value));
  }
  return [...names];
}
