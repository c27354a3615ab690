import { expect, test } from "vitest";
import { runProgram } from "../../src/index.ts";
import { nodeRun } from "../support/in-node.ts";
import { expressions } from "./built-in-expressions.ts";

test.each(expressions)("%s", async (expression) => {
  const source = `return [${expression}];`;
  const expected = await nodeRun(source, {});
  for (const labels of [{}, { labels: {} }]) {
    const result = await runProgram(source, { tools: {}, ...labels });
    if ("thrown" in expected) expect(!result.ok && result.error.message).toContain(expected.thrown);
    else expect(result).toMatchObject({ ok: true, value: expected.value });
  }
});
