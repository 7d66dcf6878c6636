/** Log lines of a version as people look for them: by node id, and with the line of the TypeScript. */
import { placeMapper } from '@millrace/deployment';
import type { LogLine } from '@millrace/engine';
import type { KeptLine } from './log-book.ts';

export type PlacedLine = Omit<KeptLine, 'number'>;

interface Version {
  readonly number: number;
  readonly bundle: string;
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export function placingLines({
  number,
  bundle,
  nodes,
}: Version): (lines: readonly LogLine[]) => PlacedLine[] {
  const ids = new Map(nodes.map(({ id, name }) => [name, id]));
  let placeOf: ReturnType<typeof placeMapper> | undefined;
  return (lines) =>
    lines.map(({ node, level, key, text, time, at }) => {
      placeOf ??= placeMapper(bundle);
      const place = placeOf(at);
      return {
        time,
        node: ids.get(node) ?? '',
        level: LEVELS.find((known) => known === level) ?? 'info',
        key,
        text,
        version: number,
        ...(place === undefined ? {} : { place }),
      };
    });
}
