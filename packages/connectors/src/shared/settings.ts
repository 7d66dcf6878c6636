import type { ConnectorContext } from '@millrace/engine';
import { parseDuration } from '@millrace/graph';
import type { z } from 'zod';
import { ConnectorError } from './connector-error.ts';

/** Reads a node's settings by its spec's schema; the error lists everything that is wrong with them. */
export function readSettings<T>(
  schema: z.ZodType<T>,
  config: Readonly<Record<string, unknown>>,
  context: ConnectorContext,
): T {
  const result = schema.safeParse(config);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `config.${path}: ${issue.message}`;
  });
  throw new ConnectorError({
    code: 'settings',
    node: context.nodeName,
    tried: 'read its settings',
    reason: faults.join('; '),
    remedy: 'Correct the settings of this node in pipeline.json.',
  });
}

/** Milliseconds of a duration that the settings' schema took. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new Error(`${JSON.stringify(text)} is no duration and passed the schema`);
  return ms;
}
