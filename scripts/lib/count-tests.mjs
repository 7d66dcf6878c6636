/**
 * Counts of a vitest JSON report. What can go wrong without a failed test counts as a failure: a file that does
 * not load, an error outside any test, a run that ended before it wrote a report, a run without tests.
 */
export function countTests(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 };
  const passed = report.numPassedTests;
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : 0;
  return { passed, failed: failed + unexplained };
}
