// Holds the import rules of .dependency-cruiser.cjs: `node scripts/import-rules.mjs [folder]`.
//
// dependency-cruiser reads TypeScript through the compiler's JS API, which TypeScript 7 does not have, and it
// accepts only a package named `typescript` below version 6. So within this process that name means the
// TypeScript 5 that also checks user code.
import Module, { register } from 'node:module';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const alias = (name) => name.replace(/^typescript(?=$|\/)/, 'typescript-js');

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => resolveFilename(alias(name), ...rest);
register(
  `data:text/javascript,${encodeURIComponent(
    `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-js' : name, context);`,
  )}`,
);

const { cruise } = await import('dependency-cruiser');
const rules = (await import(join(root, '.dependency-cruiser.cjs'))).default;
const baseDir = process.argv[2] ?? root;

const { output } = await cruise(['packages', 'apps'], {
  ...rules.options,
  baseDir,
  ruleSet: { forbidden: rules.forbidden },
  validate: true,
});
const { violations, totalCruised, totalDependenciesCruised } = output.summary;
for (const { rule, from, to, cycle } of violations) {
  const comment = rules.forbidden.find(({ name }) => name === rule.name)?.comment;
  const why = cycle ? `: ${cycle.map(({ name }) => name).join(' → ')}` : comment ? `: ${comment}` : '';
  console.error(`${from}: error: must not import ${to} (${rule.name}${why})`);
}
// A cruise that reads nothing forbids nothing: that is how a broken set-up would look.
if (totalDependenciesCruised === 0) console.error('no imports were read: the import rules hold nothing.');
console.log(
  `import rules: ${totalCruised} modules, ${totalDependenciesCruised} imports, ${violations.length} broken`,
);
process.exitCode = violations.length > 0 || totalDependenciesCruised === 0 ? 1 : 0;
