import { expect, test } from "vitest";
import { runProgram } from "../../src/index.ts";

const tools = { get: async () => ({ on: true }), send: async () => 1 };

test("a call that a function makes carries the label of the branch that called the function", async () => {
  const source = "const f = () => tools.send({ a: 1 }); const x = await tools.get({}); if (x.on) await f(); return 1;";
  const result = await runProgram(source, { tools, labels: { get: ["secret"] } });
  expect(result.calls).toMatchObject([
    { tool: "get", labels: [] },
    { tool: "send", labels: ["secret"] },
  ]);
});

test.each(["[1]", "'a'", "1", "new Map()", "new Date(0)", "/x/"])("a computed key does not reach the constructor of %s", async (value) => {
  const result = await runProgram(`const key = "constr" + "uctor"; return String((${value})[key]);`, { tools });
  expect(result).toMatchObject({
    ok: false,
    error: { kind: "thrown", message: expect.stringContaining('"constructor" is not available') },
  });
});
