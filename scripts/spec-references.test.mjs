import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './lib/root.mjs';

const spec = readFileSync(join(root, 'packages/engine/SPEC.md'), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

describe('packages/engine/SPEC.md', () => {
  it('names only files and folders that exist', () => {
    expect(missingFiles(spec)).toEqual([]);
  });

  it('names only controls of the crash sweep that exist', () => {
    expect(missingControls(spec)).toEqual([]);
  });

  it('is caught when a file or a control it names is gone', () => {
    expect(missingFiles('`gone.test.ts`, `host/gone`, `host/paged`, `page.foldPage`')).toEqual([
      'gone.test.ts',
      'host/gone',
    ]);
    expect(missingControls('control `gone-control`; control `split-commit`')).toEqual(['gone-control']);
  });

  it('cites titles of tests that exist', () => {
    expect(missingTitles(spec)).toEqual([]);
    expect(missingTitles('`a title nobody has written …`')).toEqual(['a title nobody has written']);
  });
});

/** Files by name, parts as `folder/part` without `packages/`, `src/` and ending. */
function missingFiles(text) {
  return quoted(text)
    .filter((name) => !name.includes(' ') && (name.includes('/') || /\.(ts|md)$/.test(name)))
    .filter((name) => {
      const wanted = `/${name.replace(/\/$/, '')}`;
      return !files.some((file) => {
        const path = `/${file}`;
        const short = path.replace('/packages/', '/').replace('/src/', '/');
        return [path, short].some(
          (p) => p.includes(`${wanted}/`) || p.endsWith(wanted) || p.includes(`${wanted}.`),
        );
      });
    });
}

function missingControls(text) {
  const faults = readFileSync(join(root, 'packages/engine/src/faults.ts'), 'utf8');
  return [...text.matchAll(/control `([^`]+)`/g)]
    .map(([, name]) => name)
    .filter((name) => !faults.includes(`'${name}'`));
}

/** A title is cited by its first words and `…`. */
function missingTitles(text) {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  return quoted(text)
    .filter((name) => name.includes(' ') && name.endsWith('…'))
    .map((name) => name.replace(/ ?…$/, ''))
    .filter((title) => !tests.some((file) => readFileSync(join(root, file), 'utf8').includes(title)));
}

function quoted(text) {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name);
}
