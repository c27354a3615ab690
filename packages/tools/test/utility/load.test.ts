import { type ToolResult, createRegistry } from "@toolrack/core";
import { describe, expect, it, vi } from "vitest";
import { createSteps } from "../../src/utility/_steps.ts";
import { createJsonTransform } from "../../src/utility/json-transform.ts";
import { includesText, isEqualJson } from "../../src/utility/json-values.ts";
import { createLogit } from "../../src/utility/logit.ts";

function call(input: object): Promise<ToolResult> {
  const registry = createRegistry();
  for (const tool of [createJsonTransform(), createLogit()]) registry.register(tool);
  return registry.invoke("operation" in input ? "json_transform" : "logit", input);
}

const countSteps = (work: (steps: { take(count?: number): void }) => unknown): number => {
  let taken = 0;
  work({ take: (count = 1) => void (taken += count) });
  return taken;
};

describe("SD8: json_transform", () => {
  it("SD8: compares with a large value without writing it out for each item", () => {
    const large = { list: Array.from({ length: 5_000 }, (_, index) => index) };
    const items = Array.from({ length: 2_000 }, (_, index) => ({ list: [index] }));
    const steps = countSteps((taken) => items.filter((item) => isEqualJson(item, large, taken)));
    expect(steps).toBeLessThan(items.length * 3);
    expect(isEqualJson({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, createSteps(100, ""))).toBe(true);
    expect(isEqualJson({ a: 1, ["__proto__x"]: 2 }, { a: 1, b: 2 }, createSteps(100, ""))).toBe(false);
    expect(isEqualJson([1], { 0: 1 }, createSteps(100, ""))).toBe(false);
  });

  it("SD8: filters 2,000 items by a large value, and writes no JSON for it", async () => {
    const value = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, "x".repeat(50)]));
    const data = Array.from({ length: 2_000 }, (_, index) => ({ index }));
    const written = vi.spyOn(JSON, "stringify");
    const tool = createJsonTransform();
    const result = await tool.handler(
      { data, operation: "filter", condition: { op: "eq", json_path: "", value }, json_path: "" } as never,
      {} as never,
    );
    expect(result).toEqual({ result: [] });
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  });

  it("SD8: refuses to make a result that is many times the data", async () => {
    const mapping = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, ""]));
    const data = Array.from({ length: 100 }, () => ({ text: "x".repeat(1_000) }));
    expect(await call({ data, operation: "map", mapping })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("larger than 1048576 bytes"),
    });
  });

  it("SD8: ends with a clear error when it would take too many steps", async () => {
    const mapping = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, "[*].none"]));
    const data = [Array.from({ length: 20_000 }, () => 0)];
    expect(await call({ data, operation: "map", mapping })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringMatching(/more than 1,000,000 steps\. Set json_path/),
    });
  });

  it("finds a text in another as includes does, in one pass", () => {
    const steps = createSteps(1_000, "");
    for (const [text, wanted] of [
      ["aaaaaaaaaaaaaaaaaaaab", "aaaaaaaab"],
      ["abcabcabcabcabd", "abcabcabd"],
      ["abcabcabcabcabd", "abcabcabe"],
      ["", "abcdefghi"],
      ["abcdefghi", ""],
    ] as const)
      expect(includesText(text, wanted, steps)).toBe(text.includes(wanted));
    const half = "a".repeat(100_000);
    expect(countSteps((taken) => includesText(half + half, `b${half}`, taken))).toBeLessThan(20_000);
  });
});

describe("SD8: logit", () => {
  const ranges = (from: number): object => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `n${index}`,
        { type: "integer", minimum: from + index, maximum: 98_765_432 + from * index },
      ]),
    ),
  });

  it("SD8: leaves what is too much work looser, and says so", async () => {
    const tools = Array.from({ length: 30 }, (_, index) => ({ name: `t${index}`, input_schema: ranges(index * 100) }));
    const first = await call({ action: "generate_tool_call", tools });
    expect(first).toMatchObject({ ok: true, data: { kind: "gbnf" } });
    const { losses, grammar } = (first as { data: { losses: { note: string }[]; grammar: string } }).data;
    expect(losses.filter(({ note }) => note.includes("too many digits")).length).toBeGreaterThan(500);
    const again = await call({ action: "generate_tool_call", tools });
    expect((again as { data: { grammar: string } }).data.grammar).toBe(grammar);
  });

  it("SD8: keeps what a few tools say, text included", async () => {
    const tools = [
      { name: "a", input_schema: { type: "object", properties: { n: { type: "integer", minimum: 12, maximum: 98_765_432 } } } },
    ];
    const result = await call({ action: "generate_tool_call", tools, text: true });
    expect(result).toMatchObject({ ok: true, data: { kind: "gbnf", losses: [] } });
  });

  it("SD8: refuses schemas that are larger than 100,000 characters together", async () => {
    const input_schema = { type: "object", description: "x".repeat(40_000) };
    const tools = Array.from({ length: 3 }, (_, index) => ({ name: `t${index}`, input_schema }));
    expect(await call({ action: "generate_tool_call", tools })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("100000 are the most"),
    });
  });
});
