/**
 * Tests of the whole product start databases, workers and browsers, and kill them; on a machine that is busy with
 * something else one may fail for want of time. Files of such tests are run once more, alone. What fails there,
 * too, has failed; what does not is named in the output, since it may still be a fault.
 *
 * Proofs and packages get no second look: one lost record there is a fault however seldom it is lost.
 */
const ALLOWED = /^(apps\/(?!web\/)|e2e\/(?!proof\/))/;
/** More than this is no matter of load. */
const MOST_FILES = 4;

/** The files to run again, relative to `root`; none where something failed that gets no second look. */
export function filesToRepeat(report, root) {
  const files = failedFiles(report).map(({ name }) => name.slice(root.length + 1));
  return files.length <= MOST_FILES && files.every((file) => ALLOWED.test(file)) ? files : [];
}

/** The report of a run whose failed files were run again. */
export function withSecondLook(report, second) {
  const again = new Set(second.testResults.map(({ name }) => name));
  const testResults = [...report.testResults.filter(({ name }) => !again.has(name)), ...second.testResults];
  const count = (status) =>
    testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;
  return { testResults, numPassedTests: count('passed'), numFailedTests: count('failed') };
}

/** Titles of what failed at first and passed alone. */
export function passedAlone(report, second) {
  const passed = new Set(titles(second, 'passed'));
  return titles(report, 'failed').filter((title) => passed.has(title));
}

function failedFiles(report) {
  return report.testResults.filter(
    (file) => file.status === 'failed' || file.assertionResults.some((test) => test.status === 'failed'),
  );
}

function titles(report, status) {
  return report.testResults.flatMap((file) =>
    file.assertionResults.filter((test) => test.status === status).map((test) => test.fullName),
  );
}
