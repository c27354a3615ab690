/** How many tests of a vitest JSON report passed, failed and were skipped; a file that could not be loaded counts as one failure. */
export function countTests({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length, skipped: numPendingTests + numTodoTests };
}

/** The files with a failed test, and those that could not be loaded. */
export function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
}

/**
 * The counts of a whole run whose failed files were run once more, alone. A test that failed and then passed is unstable: it
 * counts as passed and is named, with what it said. Whatever failed again, or did not run again, stays a failure.
 */
export function countRerun(first, again) {
  const { passed, failed, skipped } = countTests(first);
  const passedAgain = new Set(testsOf(again, "passed").map(({ name }) => name));
  const unstable = testsOf(first, "failed").filter(({ name }) => passedAgain.has(name));
  return { passed: passed + unstable.length, failed: failed - unstable.length, skipped, unstable };
}

function testsOf({ testResults }, wanted) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === wanted)
      .map(({ fullName, failureMessages = [] }) => ({ name: `${name} > ${fullName}`, why: failureMessages.join("\n").slice(0, 2000) })),
  );
}
