import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { prepareProgram } from "../../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("the words of long programs do not keep their texts in memory", () => {
  const program = (round: number): string =>
    `const theNumberOf${round}Things: number = 1; return theNumberOf${round}Things; // ${"x".repeat(900_000)}`;
  expect(prepareProgram(program(0)).ok).toBe(true);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let round = 1; round <= 30; round++) prepareProgram(program(round));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
