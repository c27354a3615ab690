import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, expect } from "vitest";

// TEST_COST=<file> has each test file write a line there: the CPU time of the file and of its tests in milliseconds, with the programs that
// they started and that ended. Unlike the time of a clock, it means something on a busy machine. Linux only.
const file = process.env.TEST_COST;
const started = cpuMs();
const tests = [];
let before;
beforeEach(() => {
  before = cpuMs();
});
afterEach(({ task }) => {
  tests.push({ name: task.name, ms: cpuMs() - before });
});
afterAll(() => {
  const longest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  appendFileSync(file, `${JSON.stringify({ file: expect.getState().testPath, ms: cpuMs() - started, longest })}\n`);
});

/** utime, stime, cutime and cstime, in hundredths of a second. */
function cpuMs() {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}
