/** The small page until there is an editor: what runs here, log-in, and the forms that links open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../http/handler.ts';
import { packageFolder } from '../package-folder.ts';

const read = (name: string): string => readFileSync(join(packageFolder, 'page', name), 'utf8');

export function pageFeature(): Feature {
  const [html, style, script] = [read('index.html'), read('page.css'), read('page.js')];
  return (bind) => {
    for (const id of ['instance.page', 'instance.setup', 'instance.invite', 'instance.password'] as const)
      bind(id, () => html);
    bind('instance.style', () => style);
    bind('instance.script', () => script);
  };
}
