import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from './package-folder.ts';

const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

export const version: string = z.object({ version: z.string() }).parse(manifest).version;
