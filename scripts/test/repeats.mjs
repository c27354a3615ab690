import { getTests } from "@vitest/runner/utils";
import { TestRunner } from "vitest";

/** TEST_REPEATS=50 runs each test so often in the process that has loaded its file, unless it says itself how often; one failure is a failure. */
export default class RepeatingRunner extends TestRunner {
  onCollected(files) {
    for (const test of getTests(files)) test.repeats ??= Number(process.env.TEST_REPEATS) - 1;
  }
}
