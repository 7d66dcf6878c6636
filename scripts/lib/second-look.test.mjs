import { describe, expect, it } from 'vitest';
import { filesToRepeat, passedAlone, withSecondLook } from './second-look.mjs';

const file = (name, ...tests) => ({
  name: `/r/${name}`,
  status: tests.includes('failed') ? 'failed' : 'passed',
  assertionResults: tests.map((status, i) => ({ status, fullName: `${name} ${i}` })),
});
const report = (...testResults) => ({ testResults });

describe('a second look', () => {
  it('is for files of the whole product', () => {
    const found = report(
      file('e2e/page/a.test.ts', 'passed', 'failed'),
      file('apps/cli/b.test.ts', 'passed'),
    );
    expect(filesToRepeat(found, '/r')).toEqual(['e2e/page/a.test.ts']);
  });

  it('is not for proofs, packages or the page, nor for anything beside them', () => {
    for (const name of ['e2e/proof/a.test.ts', 'packages/engine/a.test.ts', 'apps/web/src/a.test.ts'])
      expect(filesToRepeat(report(file(name, 'failed'), file('e2e/b.test.ts', 'failed')), '/r')).toEqual([]);
  });

  it('is not for many files', () => {
    const many = [1, 2, 3, 4, 5].map((n) => file(`e2e/${n}.test.ts`, 'failed'));
    expect(filesToRepeat(report(...many), '/r')).toEqual([]);
  });

  it('replaces what it looked at, and names what passed only then', () => {
    const first = report(file('e2e/a.test.ts', 'failed', 'failed', 'passed'), file('x.test.ts', 'passed'));
    const second = report(file('e2e/a.test.ts', 'passed', 'failed', 'passed'));
    expect(withSecondLook(first, second)).toMatchObject({ numPassedTests: 3, numFailedTests: 1 });
    expect(passedAlone(first, second)).toEqual(['e2e/a.test.ts 0']);
  });

  it('sees a file that does not load', () => {
    const broken = { name: '/r/e2e/a.test.ts', status: 'failed', assertionResults: [] };
    expect(filesToRepeat(report(broken), '/r')).toEqual(['e2e/a.test.ts']);
  });
});
