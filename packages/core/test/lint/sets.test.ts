import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { lintTools } from "../../src/lint/lint.ts";

function tool(name: string, more: object = {}): object {
  return {
    name,
    description: "Does what a test needs it to do.",
    inputSchema: { type: "object" },
    metadata: { usageHint: "In tests." },
    handler: () => "",
    ...more,
  };
}

function found(names: readonly (string | object)[], rule: string): unknown[] {
  const tools = names.map((name) => (typeof name === "string" ? tool(name) : name));
  return lintTools(tools).filter((finding) => finding.rule === rule);
}

describe("lintTools", () => {
  it("finds nothing in a list of good tools", () => {
    expect(lintTools([tool("read"), tool("write"), tool("search")])).toEqual([]);
    expect(lintTools([])).toEqual([]);
  });

  it("puts the place in the list before the path, and names the tool", () => {
    expect(lintTools([tool("read"), tool("write", { description: "" })])).toMatchObject([
      { rule: "missing-description", tool: "write", path: "/1/description" },
    ]);
  });

  it("finds two tools under one name, in whichever spelling policies take for one", () => {
    expect(found(["read", "read"], "duplicate-name")).toMatchObject([{ severity: "error", path: "/1/name", tool: "read" }]);
    expect(found(["bash", "exec"], "duplicate-name")).toMatchObject([
      { message: expect.stringContaining("one name in policies") as string },
    ]);
    expect(found(["Read", "read"], "duplicate-name")).toHaveLength(1);
  });

  it("lets versions of one tool stand side by side", () => {
    expect(lintTools([tool("read", { version: "1.0.0" }), tool("read", { version: "2.0.0" })])).toEqual([]);
  });

  it.each([
    ["read_file", "read-file"],
    ["read_file", "readFile"],
    ["list_items", "ListItems"],
    ["list", "Iist"],
    ["tool0", "toolO"],
    ["read1", "readl"],
    ["search", "seаrch"],
    ["search", "sеаrсh"],
    ["café", "cafe"],
  ])("S5: finds that %s and %s look alike", (first, second) => {
    expect(found([first, second], "look-alike-name")).toMatchObject([{ severity: "warning", path: "/1/name" }]);
  });

  it.each([
    ["read", "write"],
    ["list_files", "list_file"],
    ["read", "read"],
    ["tool1", "tool2"],
  ])("does not take %s and %s for look-alikes", (first, second) => {
    expect(found([first, second], "look-alike-name")).toEqual([]);
  });

  it("says when a list is too long for models, and when for vendors", () => {
    const list = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `tool_${"abcdefghij"[index % 10]}${"klmnopqrstuvwxyz"[Math.floor(index / 10)]}`);
    expect(found(list(40), "too-many-tools")).toEqual([]);
    expect(found(list(41), "too-many-tools")).toMatchObject([{ severity: "info", path: "" }]);
    expect(found(list(129), "too-many-tools")).toMatchObject([{ severity: "warning" }]);
  });

  it("takes lists with anything in them, and names that every object inherits", () => {
    expect(
      lintTools([undefined, 5, {}, tool("constructor"), tool("__proto__"), tool("toString")]).filter(({ rule }) => rule.endsWith("-name")),
    ).toEqual([]);
  });

  it("looks over a thousand tools in linear time", () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      tool(`tool_${index}`, { inputSchema: { type: "object", properties: { a: { type: "string", default: "x" } } } }),
    );
    const start = cpuTime();
    lintTools(many);
    expect(cpuTime() - start).toBeLessThan(20_000);
  });
});
