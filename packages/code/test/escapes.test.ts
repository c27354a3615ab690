import { expect, test } from "vitest";
import { runProgram } from "../src/index.ts";
import { escapeCases } from "./support/cases.ts";
import { escapeLabels, escapeTools, expectationMistake, hostMistake, hostState } from "./support/escapes.mjs";

test.each(escapeCases().map((row) => [row.id, row] as const))("%s ends as expected, and the host is as before", async (_id, row) => {
  const before = hostState();
  const result = await runProgram(row.source, { tools: escapeTools(), labels: escapeLabels });
  expect(hostMistake(result)).toBeUndefined();
  expect(expectationMistake(row.expect, result)).toBeUndefined();
  expect(hostState()).toEqual(before);
});
