/** Names of the secrets that a pipeline's settings ask for: what must be bound where it is imported. */
import type { Pipeline } from '@millrace/graph';

export function namedSecrets({ nodes }: Pipeline): string[] {
  const found = new Set<string>();
  for (const { config } of nodes.values()) collect(config, found);
  return [...found].sort();
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { secret } = value as { secret?: unknown };
  if (typeof secret === 'string' && Object.keys(value).length === 1) found.add(secret);
  else for (const member of Object.values(value)) collect(member, found);
}
