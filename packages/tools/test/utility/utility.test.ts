import { createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { toolCallGrammar } from "@toolrack/core/grammar";
import { lintTools } from "@toolrack/core/lint";
import { assertTool, findDrift } from "@toolrack/core/testing";
import fc from "fast-check";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createUtilityTools, type UtilityOptions } from "../../src/index.ts";

function registryWith(options: UtilityOptions = {}): Registry {
  const registry = createRegistry();
  for (const tool of createUtilityTools(options)) registry.register(tool);
  return registry;
}
const dataOf = (result: ToolResult): any => (result.ok ? result.data : expect.fail(result.error));

describe("the utilities", () => {
  // row: J13
  it("each pass the test kit, and lint has nothing to warn of", async () => {
    const tools = createUtilityTools({ operations: { random: () => 0.65 } });
    for (const tool of tools.filter(({ name }) => ["random", "echo", "timer", "calculator", "json_transform", "logit"].includes(name)))
      await assertTool(tool);
    expect(lintTools(tools).filter((finding) => finding.severity !== "info")).toEqual([]);
    for (const tool of tools.filter(({ name }) => ["random", "echo", "timer", "calculator", "json_transform", "logit"].includes(name)))
      expect(await findDrift(tool), tool.name).toMatchObject({ ok: true });
  });
});

describe("random", () => {
  it("stays within its bounds and reaches both of them", async () => {
    const registry = registryWith();
    const numbers: number[] = dataOf(await registry.invoke("random", { min: 1, max: 3, count: 1_000 })).numbers;
    expect(new Set(numbers)).toEqual(new Set([1, 2, 3]));
    expect(dataOf(await registry.invoke("random", {})).numbers).toHaveLength(1);
    const halves: number[] = dataOf(await registry.invoke("random", { min: 0.25, max: 0.5, count: 100 })).numbers;
    expect(halves.every((number) => number >= 0.25 && number <= 0.5)).toBe(true);
  });

  it("is whole and within bounds for all whole bounds", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -1e15, max: 1e15 }),
        fc.nat(1e15),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (min, width, share) => {
          const max = Math.min(1e15, min + width);
          const [number] = dataOf(await registryWith({ operations: { random: () => share } }).invoke("random", { min, max })).numbers;
          expect(Number.isSafeInteger(number) && number >= min && number <= max).toBe(true);
        },
      ),
      { numRuns: 60 },
    ));

  it("refuses bounds the wrong way round", async () => {
    expect(await registryWith().invoke("random", { min: 5, max: 1 })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("Swap"),
    });
  });
});

describe("timer", () => {
  it("ends at once when the caller gives up", async () => {
    const controller = new AbortController();
    void turns().then(() => controller.abort());
    const result = await registryWith().invoke("timer", { seconds: 300 }, { signal: controller.signal });
    expect(result).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("refuses to wait for more than five minutes", async () => {
    expect(await registryWith().invoke("timer", { seconds: 301 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });
});

describe("calculator", () => {
  const registry = registryWith();
  const calculate = (expression: string): Promise<ToolResult> => registry.invoke("calculator", { expression });

  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["2 ^ 3 ^ 2", 512],
    ["2 ** 3", 8],
    ["-2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["0.1 + 0.2", 0.3],
    ["10 / 4 - 3 % 2", 1.5],
    ["--3", 3],
    ["1e3 + .5", 1000.5],
    ["1_000_000 * 2", 2_000_000],
    ["sqrt(16) + abs(-3)", 7],
    ["round(2.345, 2)", 2.35],
    ["round(-2.5)", -2],
    ["max(1, 2, min(9, 4))", 4],
    ["ln(e) + log(1000) + log2(8)", 7],
    ["sin(pi / 2)", 1],
    ["6 × 7 ÷ 2 − 1", 20],
    ["0 * -1", 0],
  ])("works out %s", async (expression, result) => {
    expect(dataOf(await calculate(expression))).toMatchObject({ result, expression });
  });

  it.each([
    ["1 +", /position 4: a number is missing before the end/],
    ["(1 + 2", /"\)" is missing/],
    ["1 2", /"2" does not belong there/],
    ["1 / 0", /division by zero/],
    ["sqrt(-1)", /not a real number/],
    ["10 ^ 1000", /too large/],
    ["constructor(1)", /"constructor" is not known. Known are abs/],
    ["__proto__", /a number is missing/],
    ["process.exit(1)", /"process" is not known/],
    ["alert", /not known/],
    ["sqrt 4", /parentheses/],
    ["sqrt(1, 2)", /takes 1 numbers, not 2/],
    ["2; 3", /";" does not belong/],
    [`${"(".repeat(500)}1`, /levels of nesting/],
    ["2^".repeat(500) + "2", /levels of nesting|too large/],
    ["`1`", /number is missing/],
  ])("says what is wrong with %s", async (expression, message) => {
    expect(await calculate(expression)).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringMatching(message) });
  });

  it("agrees with the language on sums of products", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("+", "-", "*"), fc.integer({ min: -999, max: 999 })), { minLength: 1, maxLength: 12 }),
        async (parts) => {
          const expression = parts
            .map(([sign, number], index) => (index === 0 ? `${number}` : ` ${sign} ${number < 0 ? `(${number})` : number}`))
            .join("");
          const terms = expression.replace(/\s/g, "");
          expect(dataOf(await calculate(expression)).result).toBeCloseTo(reference(terms), 6);
        },
      ),
      { numRuns: 100 },
    ));

  it("answers whatever text it is given", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 200, unit: fc.constantFrom(..."0123456789.+-*/%^(), episqrtmaxln_$`\\\n".split("")) }),
        async (text) => {
          const result = await calculate(text);
          expect(result.ok ? Number.isFinite(dataOf(result).result) : result.code === "INPUT_INVALID", result.ok ? "" : result.error).toBe(
            true,
          );
        },
      ),
      { numRuns: 300 },
    ));
});

/** Sums of products of whole numbers, worked out without the parser. */
function reference(text: string): number {
  const tokens = text.match(/\(-\d+\)|(?<![\d)])-\d+|\d+|[+\-*]/g)!.map((token) => token.replace(/[()]/g, ""));
  let sum = 0;
  let product = Number(tokens[0]);
  for (let index = 1; index < tokens.length; index += 2) {
    const value = Number(tokens[index + 1]);
    if (tokens[index] === "*") product *= value;
    else {
      sum += product;
      product = tokens[index] === "+" ? value : -value;
    }
  }
  return sum + product;
}

describe("json_transform", () => {
  const registry = registryWith();
  const transform = async (input: object): Promise<unknown> => dataOf(await registry.invoke("json_transform", input)).result;
  const data = { items: [{ n: "b", p: 2, tags: ["x"] }, { n: "a", p: 10 }, { n: "c" }], "odd key": { deep: [1, [2, 3]] } };

  it("follows paths, and finds nothing where they lead nowhere", async () => {
    const extract = (json_path: string): Promise<unknown> => transform({ data, operation: "extract", json_path });
    expect(await extract("items[1].n")).toBe("a");
    expect(await extract("$.items[*].p")).toEqual([2, 10]);
    expect(await extract("odd key.deep[1][0]")).toBe(2);
    expect(await extract("")).toEqual(data);
    for (const path of ["items[9].n", "nothing.at.all", "__proto__", "constructor.name", "items.length", "items[0].n.length"])
      expect(await extract(path), path).toBeNull();
  });

  it("filters, sorts and maps lists", async () => {
    const names = async (input: object): Promise<unknown> =>
      ((await transform({ data, json_path: "items", ...input })) as { n: string }[]).map(({ n }) => n);
    expect(await names({ operation: "filter", condition: { json_path: "p", op: "gte", value: 2 } })).toEqual(["b", "a"]);
    expect(await names({ operation: "filter", condition: { json_path: "tags", op: "contains", value: "x" } })).toEqual(["b"]);
    expect(await names({ operation: "filter", condition: { json_path: "p", op: "exists" } })).toEqual(["b", "a"]);
    expect(await names({ operation: "filter", condition: { json_path: "n", op: "ne", value: "a" } })).toEqual(["b", "c"]);
    expect(await names({ operation: "sort", sort_by: "n" })).toEqual(["a", "b", "c"]);
    expect(await names({ operation: "sort", sort_by: "p", descending: true })).toEqual(["a", "b", "c"]);
    expect(await transform({ data, operation: "map", json_path: "items", mapping: { name: "n", first: "tags[0]" } })).toEqual([
      { name: "b", first: "x" },
      { name: "a", first: null },
      { name: "c", first: null },
    ]);
  });

  it("says what is missing", async () => {
    expect(await registry.invoke("json_transform", { data, operation: "map", mapping: {} })).toMatchObject({
      error: expect.stringContaining("needs a list"),
    });
    expect(await registry.invoke("json_transform", { data: [], operation: "map" })).toMatchObject({
      error: expect.stringContaining("mapping"),
    });
    expect(await registry.invoke("json_transform", { data: [], operation: "filter" })).toMatchObject({
      error: expect.stringContaining("condition"),
    });
    for (const json_path of ["a[", "a..b", "a[x]", "]", "a[0]b", "."])
      expect(await registry.invoke("json_transform", { data, operation: "extract", json_path }), json_path).toMatchObject({
        code: "INPUT_INVALID",
        error: expect.stringContaining("position"),
      });
  });
});

describe("logit", () => {
  const registry = registryWith();
  const tools = [
    {
      name: "search",
      input_schema: { type: "object", properties: { query: { type: "string" }, kind: { enum: ["web", "news"] } }, required: ["query"] },
    },
    { name: "now", input_schema: { type: "object", properties: {} } },
  ];

  // row: J10
  it("makes grammars of the core for calls, in what each backend takes", async () => {
    const make = async (more: object): Promise<any> =>
      dataOf(await registry.invoke("logit", { action: "generate_tool_call", tools, ...more }));
    expect(await make({})).toMatchObject({ kind: "gbnf", grammar: expect.stringMatching(/^root ::= /) });
    const plain = tools.map(({ name, input_schema }) => ({ name, inputSchema: input_schema }));
    expect((await make({})).grammar).toBe(toolCallGrammar(plain));
    expect((await make({ parallel: true })).grammar).toBe(toolCallGrammar(plain, { parallel: true }));
    expect(await make({ backend: "vllm" })).toMatchObject({ kind: "structural-tag", structural_tag: { type: "structural_tag" } });
    expect(await make({ backend: "openai" })).toMatchObject({ kind: "lark", grammar: expect.stringContaining("start:") });
    expect(await make({ backend: "ollama" })).toMatchObject({
      kind: "json-schema",
      schema: { anyOf: expect.any(Array) },
      fallback: expect.stringContaining("no grammar"),
    });
    expect((await make({ family: "hermes" })).grammar).toContain("<tool_call>");
  });

  it("tells what a configuration gives without sending it, and what it cannot do", async () => {
    const facts = dataOf(await registry.invoke("logit", { action: "test_config", tools, backend: "text" }));
    expect(facts).toEqual({ kind: "none", fallback: expect.stringContaining("nothing holds the model") });
    expect(await registry.invoke("logit", { action: "test_config", tools, backend: "ollama", mode: "grammar" })).toMatchObject({
      ok: false,
      code: "CONFIG_INVALID",
    });
  });

  it("asks for what each action needs", async () => {
    expect(await registry.invoke("logit", { action: "generate_structured" })).toMatchObject({
      code: "INPUT_INVALID",
      error: expect.stringContaining("schema"),
    });
    expect(await registry.invoke("logit", { action: "generate_tool_call" })).toMatchObject({
      code: "INPUT_INVALID",
      error: expect.stringContaining("tools"),
    });
    expect(await registry.invoke("logit", { action: "generate_tool_call", tools: [tools[0], tools[0]] })).toMatchObject({
      error: expect.stringContaining("twice"),
    });
    expect(await registry.invoke("logit", { action: "generate_structured", schema: { type: 5 } })).toMatchObject({
      ok: false,
      code: "SCHEMA_INVALID",
    });
  });
});
