import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@toolrack/json-schema";
import { writeChoice } from "../../../src/providers/wire/calls.ts";
import { exportTools } from "../../../src/providers/wire/export.ts";
import { providerTargets } from "../../../src/providers/providers.ts";
import { toolNamed } from "../tools.ts";

const schema: JsonSchema = {
  type: "object",
  properties: { city: { type: "string", minLength: 1 }, days: { type: "integer" } },
  required: ["city"],
};
const weather = toolNamed("weather", schema);

describe("wire formats", () => {
  it.each([
    ["anthropic", { name: "weather", description: "Does weather.", input_schema: schema }],
    ["openai-responses", { type: "function", name: "weather", description: "Does weather.", parameters: schema, strict: false }],
    ["openai-chat", { type: "function", function: { name: "weather", description: "Does weather.", parameters: schema } }],
    ["gemini-openapi", { functionDeclarations: [{ name: "weather", description: "Does weather.", parameters: schema }] }],
    ["bedrock", { toolSpec: { name: "weather", description: "Does weather.", inputSchema: { json: schema } } }],
    ["ollama", { type: "function", function: { name: "weather", description: "Does weather.", parameters: schema } }],
    ["generic", { name: "weather", description: "Does weather.", parameters: schema }],
    // row: G1, G4
  ] as const)("%s gets exactly its own fields, and no handler", (target, expected) => {
    const exported = exportTools([weather], target);
    expect(exported.tools).toEqual([expected]);
    expect(JSON.parse(exported.text)).toEqual(exported.tools);
    expect(exported.diagnostics).toEqual([]);
  });

  // row: G1
  it.each(providerTargets)("%s: no tools stay no tools", (target) => {
    expect(exportTools([], target).tools).toEqual([]);
    expect(exportTools([], target).text).toBe("[]");
  });

  it("marks strict tools, and writes the newer fields where a vendor has them", () => {
    const tool = {
      ...weather,
      outputSchema: { type: "string" },
      metadata: { examples: [{ description: "x", input: { city: "Berlin" } }] },
    };
    const options = { examples: true, deferred: true, allowedCallers: ["direct" as const], outputSchemas: true };
    expect(exportTools([tool], "anthropic-strict", options).tools[0]).toMatchObject({
      strict: true,
      input_examples: [{ city: "Berlin" }],
      defer_loading: true,
      allowed_callers: ["direct"],
    });
    expect(exportTools([tool], "openai-strict", options).tools[0]).toMatchObject({
      strict: true,
      defer_loading: true,
      allowed_callers: ["direct"],
      output_schema: { type: "string" },
    });
    expect(exportTools([tool], "openai-chat", { strict: true }).tools[0]).toMatchObject({ function: { strict: true } });
    expect(exportTools([tool], "gemini", options).tools[0]).toMatchObject({
      functionDeclarations: [{ responseJsonSchema: { type: "string" } }],
    });
    const others = [tool, toolNamed("other")];
    expect(exportTools(others, "openai", { deferred: ["other"] }).tools[0]).not.toHaveProperty("defer_loading");
  });

  it("refuses to defer or choose a tool that is not there, with the nearest name", () => {
    const exported = exportTools([toolNamed("files.read")], "openai");
    expect(() => exportTools([toolNamed("files.read")], "openai", { deferred: ["files.red"] })).toThrow(
      'exportTools: "deferred" names the tool "files.red", which is not in the list. Did you mean "files.read"?',
    );
    expect(() => writeChoice({ tool: "files.red" }, exported)).toThrow(
      'writeChoice names the tool "files.red", which is not in the list. Did you mean "files.read"?',
    );
    expect(writeChoice({ tools: [Object.keys(exported.names)[0]!] }, exported)).toEqual(writeChoice({ tools: ["files.read"] }, exported));
  });

  it("says of each tool that a vendor without a strict mode is not sent strict tools", () => {
    expect(exportTools([toolNamed("now")], "mistral", { strict: true }).diagnostics).toEqual([
      { tool: "now", severity: "warning", code: "not-strict", message: 'Tool "now" is sent without strict: mistral has no strict mode.' },
    ]);
    expect(exportTools([toolNamed("now")], "mistral", { strict: false }).diagnostics).toEqual([]);
  });

  it("leaves parameters out for Gemini when a tool takes none", () => {
    expect(exportTools([toolNamed("now")], "gemini-openapi").tools).toEqual([
      { functionDeclarations: [{ name: "now", description: "Does now." }] },
    ]);
  });
});

describe("names", () => {
  const dotted = toolNamed("files.read");

  it("are legal, reversible, never alike and the same when the set grows", () => {
    const alone = Object.keys(exportTools([dotted], "openai").names);
    const [mapped] = alone;
    expect(mapped).toMatch(/^files_read_[0-9a-f]{8}$/);
    const { names } = exportTools([toolNamed("files_read"), toolNamed("files-read"), dotted, toolNamed("files..read")], "openai");
    expect(names[mapped!]).toBe("files.read");
    expect(Object.values(names).sort()).toEqual(["files-read", "files..read", "files.read", "files_read"].sort());
  });

  it("yield to a tool that has the mapped name for its own", () => {
    const [mapped] = Object.keys(exportTools([dotted], "anthropic").names);
    const { names } = exportTools([dotted, toolNamed(mapped!)], "anthropic");
    expect(names[mapped!]).toBe(mapped);
    expect(Object.values(names)).toContain("files.read");
  });

  it("of 300 characters are shortened, with a diagnostic", () => {
    const long = "x".repeat(300);
    const { names, diagnostics } = exportTools([toolNamed(long), weather], "anthropic");
    expect(Object.keys(names).every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(Object.values(names)).toEqual([long, "weather"]);
    expect(diagnostics).toMatchObject([{ tool: long, severity: "warning", code: "name" }]);
  });

  it("start with a letter where Gemini asks for it", () => {
    const [name] = Object.keys(exportTools([toolNamed("3d.print")], "gemini").names);
    expect(name).toMatch(/^[a-zA-Z_]/);
  });

  it("may be __proto__ or constructor", () => {
    const { names } = exportTools([toolNamed("__proto__"), toolNamed("constructor")], "openai");
    expect(Object.keys(names)).toEqual(["__proto__", "constructor"]);
    expect(names["toString"]).toBeUndefined();
  });
});

describe("bad tools", () => {
  const circular: Record<string, unknown> = { type: "object" };
  circular["properties"] = { self: circular };
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: "string" }]));
  let nested: Record<string, unknown> = { type: "string" };
  for (let depth = 0; depth < 10_000; depth++) nested = { type: "array", items: nested };

  it.each([
    ["a circular object", circular],
    ["10,000 nodes side by side", { type: "object", properties: many }],
    ["10,000 nodes inside each other", { type: "object", properties: { nested } }],
    ["a $ref to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    ["no object at the root", { type: "string" }],
    ["a keyword with a wrong argument", { type: "object", properties: [] }],
    ["something that is not JSON", { type: "object", properties: { a: { default: () => 1 } } }],
    ["no schema at all", undefined],
  ])("%s: that tool is left out by name, the rest exported", (_name, broken) => {
    for (const target of providerTargets) {
      const exported = exportTools([{ ...weather, name: "bad", inputSchema: broken as JsonSchema }, weather], target);
      expect(Object.values(exported.names)).toEqual(["weather"]);
      expect(exported.diagnostics).toMatchObject([{ tool: "bad", severity: "error", message: expect.stringContaining('"bad"') }]);
    }
  });

  it.each(["__proto__", "constructor", "$ref", ""])("a property named %j is kept, works both ways, and is pointed out", (key) => {
    const odd: JsonSchema = {
      type: "object",
      properties: Object.fromEntries([[key, { type: "string" }]]),
      required: [key],
      additionalProperties: false,
    };
    const value = Object.fromEntries([[key, "x"]]);
    for (const target of providerTargets) {
      const exported = exportTools([toolNamed("odd", odd), weather], target);
      expect(Object.values(exported.names)).toEqual(["odd", "weather"]);
      expect(exported.diagnostics).toMatchObject([{ tool: "odd", severity: "warning", code: "property-name" }]);
      const decoded = exported.decode("odd", value) as object;
      expect(Object.entries(decoded)).toEqual([[key, "x"]]);
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    }
  });

  it("leaves out the second of two tools with one name", () => {
    const { tools, diagnostics } = exportTools([weather, toolNamed("weather")], "mistral");
    expect(tools).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ tool: "weather", code: "duplicate", severity: "error" }]);
  });

  it("names the tools beyond a vendor's number", () => {
    const tools = Array.from({ length: 130 }, (_, index) => toolNamed(`t${index}`));
    const exported = exportTools(tools, "openai");
    expect(exported.tools).toHaveLength(128);
    expect(exported.diagnostics.map(({ tool, code }) => [tool, code])).toEqual([
      ["t128", "too-many"],
      ["t129", "too-many"],
    ]);
  });
});

describe("strict budgets", () => {
  it("a tool over Anthropic's shared budget falls back alone", () => {
    const optional = (count: number): JsonSchema => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }])),
    });
    const exported = exportTools(
      [toolNamed("a", optional(20)), toolNamed("b", optional(10)), toolNamed("c", optional(4))],
      "anthropic-strict",
    );
    expect(exported.tools.map((tool) => (tool as { strict?: boolean }).strict)).toEqual([true, undefined, true]);
    expect(exported.diagnostics).toMatchObject([{ tool: "b", code: "not-strict", severity: "warning" }]);
  });

  it("a tool too large for strict mode falls back alone", () => {
    const properties = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`p${index}`, { type: "string" }]));
    const large: JsonSchema = { type: "object", properties };
    const exported = exportTools([toolNamed("large", large), weather], "openai-strict");
    expect(exported.tools.map((tool) => (tool as { strict: boolean }).strict)).toEqual([false, true]);
    expect(exported.tools[0]).toMatchObject({ parameters: large });
    expect(exported.diagnostics).toMatchObject([{ tool: "large", code: "not-strict", severity: "warning" }]);
  });

  it("only twenty tools are strict", () => {
    const exported = exportTools(
      Array.from({ length: 25 }, (_, index) => toolNamed(`t${index}`)),
      "anthropic-strict",
    );
    expect(exported.tools.filter((tool) => (tool as { strict?: boolean }).strict)).toHaveLength(20);
    expect(exported.tools).toHaveLength(25);
  });
});

describe("losses", () => {
  // row: G6
  it("name the tool, the keyword and its place", () => {
    expect(exportTools([weather], "openai-strict").losses).toContainEqual({
      tool: "weather",
      path: "/properties/city",
      keyword: "minLength",
      note: "dropped, and noted in the description",
    });
  });
});

describe("tools for some models", () => {
  const patch = toolNamed("apply_patch", undefined, { models: ["gpt-5*", "o3"] });

  it("are exported only for a model that matches", () => {
    expect(exportTools([patch], "openai", { model: "gpt-5.1-codex" }).tools).toHaveLength(1);
    expect(exportTools([patch], "openai", { model: "o3" }).tools).toHaveLength(1);
    expect(exportTools([patch, weather], "openai", { model: "o3-mini" }).names).toEqual({ weather: "weather" });
    expect(exportTools([patch], "openai").diagnostics).toMatchObject([{ tool: "apply_patch", code: "model" }]);
  });
});

describe("parameter aliases", () => {
  const edit = toolNamed(
    "edit",
    {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path", "text"],
      additionalProperties: false,
    },
    { aliases: { file_path: "path" } },
  );

  // row: D10
  it("are visible to Claude, and to nobody else", () => {
    const [claude] = exportTools([edit], "anthropic").tools as { input_schema: JsonSchema }[];
    expect(claude!.input_schema).toEqual({
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" }, file_path: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    });
    for (const target of providerTargets.filter((name) => name !== "anthropic"))
      expect(exportTools([edit], target).text).not.toContain("file_path");
  });

  it("come back under the canonical name, which wins where both are given", () => {
    const { decode } = exportTools([edit], "anthropic");
    expect(decode("edit", { file_path: "a", text: "b" })).toEqual({ path: "a", text: "b" });
    expect(decode("edit", { claude_path: "a", text: "b" })).toEqual({ path: "a", text: "b" });
    expect(decode("edit", { path: "a", file_path: "z", text: "b" })).toEqual({ path: "a", text: "b" });
  });
});

describe("exporting again", () => {
  const tools = Array.from({ length: 1_000 }, (_, index) => toolNamed(`tool_${index}`, { ...schema, description: String(index) }));

  it("gives the same bytes, and the same result for the same tools", () => {
    const first = exportTools(tools, "anthropic");
    expect(exportTools([...tools], "anthropic")).toBe(first);
    expect(
      exportTools(
        tools.map((tool) => ({ ...tool })),
        "anthropic",
      ).text,
    ).toBe(first.text);
  });

  it("compiles one tool when one tool changed", () => {
    const before = exportTools(tools, "mistral");
    const after = exportTools(
      [...tools.slice(0, 999), toolNamed("tool_999", { type: "object", properties: { fresh: { type: "string" } } })],
      "mistral",
    );
    expect(after.tools.filter((tool, index) => tool !== before.tools[index])).toHaveLength(1);
    expect(after.text).not.toBe(before.text);
  });

  it("sees a change in a tool that is not frozen", () => {
    const open = { ...weather, description: "Before." };
    exportTools([open], "anthropic");
    open.description = "After.";
    expect(exportTools([open], "anthropic").text).toContain("After.");
  });
});
