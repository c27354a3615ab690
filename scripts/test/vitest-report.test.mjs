import { describe, expect, it } from "vitest";
import { countRerun, countTests, failedFiles } from "../lib/vitest-report.mjs";

const file = (name, tests) => ({
  name,
  status: Object.values(tests).includes("failed") || Object.keys(tests).length === 0 ? "failed" : "passed",
  assertionResults: Object.entries(tests).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === "failed" ? [`${fullName} was wrong`] : [],
  })),
});

function reportOf(...testResults) {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted) => all.filter(({ status }) => status === wanted).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("pending"),
    numTodoTests: 0,
    testResults,
  };
}

describe("the report of a test run", () => {
  const first = reportOf(
    file("a", { one: "passed", two: "failed" }),
    file("b", { one: "failed", two: "pending" }),
    file("c", { x: "passed" }),
  );

  it("counts tests, and a file that could not be loaded as one failure", () => {
    expect(countTests(first)).toEqual({ passed: 2, failed: 2, skipped: 1 });
    expect(countTests(reportOf(file("broken", {})))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("names the files to run again", () => {
    expect(failedFiles(first)).toEqual(["a", "b"]);
  });

  it("counts a test that passes the second time as passed, and names it as unstable, with what it said", () => {
    const again = reportOf(file("a", { one: "passed", two: "passed" }), file("b", { one: "failed", two: "pending" }));
    expect(countRerun(first, again)).toEqual({ passed: 3, failed: 1, skipped: 1, unstable: [{ name: "a > two", why: "two was wrong" }] });
  });

  it("keeps a failure whose test did not run again, has another file or belongs to a file that could not be loaded", () => {
    expect(countRerun(first, reportOf(file("c", { one: "passed", two: "passed" })))).toMatchObject({ failed: 2, unstable: [] });
    expect(countRerun(reportOf(file("a", {})), reportOf(file("a", { one: "passed" })))).toMatchObject({ failed: 1, unstable: [] });
  });
});
