import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { runProgram } from "../src/index.ts";
import { escapeCases } from "./support/cases.ts";
import { escapeLabels, escapeTools, expectationMistake, hostMistake, hostState } from "./support/escapes.mjs";

test.each(escapeCases().map((row) => [row.id, row] as const))("%s ends as expected, and the host is as before", async (_id, row) => {
  const before = hostState();
  // Whatever does not end, ends the same with fewer steps.
  const limits =
    (row.about === "limit" || row.id === "forof-grows") && row.id !== "recursion-json" && row.id !== "recursion-flat"
      ? { steps: sized(300_000, 2_000_000) }
      : {};
  const result = await runProgram(row.source, { tools: escapeTools(), labels: escapeLabels, limits });
  expect(hostMistake(result)).toBeUndefined();
  expect(expectationMistake(row.expect, result)).toBeUndefined();
  expect(hostState()).toEqual(before);
});
