import { describe, expect, it } from 'vitest';
import { countTests } from './count-tests.mjs';

const report = (passed, failed, files = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: files,
});

describe('the last line of npm test', () => {
  it('counts passed and failed tests', () => {
    const files = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }];
    expect(countTests(report(1, 1, files), 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a file that does not load as one failure', () => {
    expect(countTests(report(3, 0, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({
      passed: 3,
      failed: 1,
    });
  });

  it('counts an error outside any test as one failure', () => {
    expect(countTests(report(3, 0), 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('fails a run without a report or without tests', () => {
    expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
    expect(countTests(report(0, 0), 0)).toEqual({ passed: 0, failed: 1 });
  });

  it('fails nothing when all is well', () => {
    expect(countTests(report(5, 0), 0)).toEqual({ passed: 5, failed: 0 });
  });
});
