import { describe, expect, it } from "vitest";
import { codeSource } from "../../src/sources/code.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { sourceContract } from "../../src/testing/source-contract.ts";

const list = (source: ReturnType<typeof codeSource>): string[] => {
  const tools = source.list({ signal: new AbortController().signal });
  if (tools instanceof Promise) throw new Error("it has them at hand");
  return tools.map(({ name }) => name);
};

describe("codeSource", () => {
  let changes = 0;
  const checks = sourceContract(
    "code",
    () => codeSource("own", [fakeTool({ name: "a" }), { name: "b", description: "Old.", execute: () => "" }]),
    {
      tools: ["a", "b"],
      change: (source) => source.replace([fakeTool({ name: `changed-${++changes}` })]),
    },
  );
  for (const check of checks) it(check.name, check.run);

  it("lists what it was given, at once, whatever becomes of the array", () => {
    const tools = [fakeTool({ name: "a" })];
    const source = codeSource("own", tools);
    tools.push(fakeTool({ name: "b" }));
    expect(list(source)).toEqual(["a"]);
  });

  it("puts another list in place", () => {
    const source = codeSource("own", [fakeTool({ name: "a" })]);
    source.replace([fakeTool({ name: "b" })]);
    expect(list(source)).toEqual(["b"]);
  });
});
