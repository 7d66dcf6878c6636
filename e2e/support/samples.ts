/** The samples that come with the product, as files of a pipeline. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samples } from './flights.ts';
import type { PipelineJson } from './folders.ts';

export interface Sample {
  readonly pipeline: PipelineJson;
  /** Code and what it shares, by path. */
  readonly code: Readonly<Record<string, string>>;
}

export function sample(name: string): Sample {
  const folder = join(samples, name);
  const code: Record<string, string> = {};
  for (const part of ['nodes', 'lib'])
    for (const file of readdirSync(join(folder, part)))
      code[`${part}/${file}`] = readFileSync(join(folder, part, file), 'utf8');
  // Without its id: that is the sample's own.
  const { id: _, ...pipeline } = JSON.parse(readFileSync(join(folder, 'pipeline.json'), 'utf8'));
  return { pipeline, code };
}
