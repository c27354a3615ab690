import { describe, expect, it } from "vitest";
import { executeTool } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { wrapLegacyTool } from "../../src/tool/legacy.ts";
import { type AnyTool, readTool } from "../../src/tool/shapes.ts";
import { defineTool } from "../../src/tool/tool.ts";

const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

interface Input {
  readonly n: number;
}

describe("every accepted shape of a tool is read as the same kind of value:", () => {
  it.each<[what: string, shape: AnyTool]>([
    ["four fields", { name: "double", description: "Doubles.", inputSchema: parameters, handler: ({ n }) => String(n * 2) }],
    [
      "a class form",
      {
        name: "double",
        description: "Doubles.",
        parametersSchema: parameters,
        execute: (_session: unknown, { n }: Input) => String(n * 2),
      },
    ],
    ["parameters and execute", { name: "double", description: "Doubles.", parameters, execute: ({ n }: Input) => String(n * 2) }],
    [
      "parameters and execute with a call id",
      { name: "double", description: "Doubles.", label: "Double", parameters, execute: (_id: string, { n }: Input) => String(n * 2) },
    ],
    ["a legacy tool", { name: "double", description: "Doubles.", execute: ({ n }: Input) => String(n * 2) }],
  ])("%s", async (_what, shape) => {
    const tool = readTool(shape);
    expect(Object.isFrozen(tool)).toBe(true);
    expect(tool).toMatchObject({ name: "double", description: "Doubles." });
    expect(await executeTool(tool, { n: 21 })).toMatchObject({ ok: true, content: "42" });
  });

  it("a defined tool as itself", () => {
    const tool = defineTool({ name: "t", description: "", inputSchema: {}, handler: () => "" });
    expect(readTool(tool)).toBe(tool);
  });

  it("a label is the mark of a call id, however many parameters execute declares", async () => {
    const labelled = { name: "double", description: "", label: "Double", parameters };
    expect(
      await executeTool(readTool({ ...labelled, execute: (...args: unknown[]) => String((args[1] as Input).n) }), { n: 4 }),
    ).toMatchObject({
      content: "4",
    });
    expect(await executeTool(readTool({ ...labelled, execute: (callId: string) => typeof callId }), { n: 4 })).toMatchObject({
      content: "string",
    });
  });

  it("without a label execute is given its arguments, and nothing else", async () => {
    const seen: unknown[][] = [];
    const execute = (...args: unknown[]): string => String(seen.push(args));
    await executeTool(readTool({ name: "double", description: "", parameters, execute }), { n: 4 });
    expect(seen).toEqual([[{ n: 4 }]]);
  });

  it("an execute that wants more and has no mark is refused, because nobody can tell what its parameters are", () => {
    const shape = {
      name: "weather",
      description: "",
      parameters,
      execute: async (_args: Input, { abortSignal }: { abortSignal: AbortSignal }) => String(abortSignal.aborted),
    };
    expect(() => readTool(shape as unknown as AnyTool)).toThrow(
      'Tool "weather": execute declares 2 parameters, which may be (callId, parameters) or (parameters, options). Add a label if it takes a call id; take over tools of the AI SDK with fromAiSdk of @toolrack/core/vendors; otherwise write handler: (input, context) => result.',
    );
  });

  it.each<[what: string, shape: unknown, sentence: RegExp]>([
    [
      "a list",
      [{ name: "t" }],
      /^A list of tools cannot be registered as one tool\. Register each of them, or addSource\(codeSource\("mine", tools\)\)\.$/,
    ],
    ["OpenAI's chat form", { type: "function", function: { name: "t", parameters } }, /fromOpenAITools/],
    [
      "OpenAI's responses form",
      { type: "function", name: "t", description: "", parameters, strict: true },
      /Tool "t" has no handler\. .*fromOpenAITools/,
    ],
    ["Anthropic's form", { name: "t", description: "", input_schema: parameters }, /Tool "t" has no handler/],
    ["the AI SDK's tool", { description: "", inputSchema: parameters, execute: () => "" }, /fromAiSdk/],
    ["the AI SDK's tool with a name", { name: "t", description: "", inputSchema: parameters, execute: () => "" }, /Tool "t" .*fromAiSdk/],
    ["an older tool of the AI SDK", { description: "", parameters, execute: () => "" }, /fromAiSdk/],
    [
      "the AI SDK's set of tools",
      { weather: { description: "", inputSchema: parameters, execute: () => "" } },
      /A tool has no handler\. .*fromAiSdk/,
    ],
    ["LangChain's tool", { name: "t", description: "", schema: parameters, invoke: async () => "", lc_namespace: [] }, /fromLangChain/],
    [
      "a schema that nobody reads",
      { name: "t", description: "", schema: parameters, execute: () => "" },
      /unknown field "schema". Did you mean "inputSchema"/,
    ],
    [
      "a misspelt mark",
      { name: "t", description: "", paramters: parameters, execute: () => "" },
      /unknown field "paramters". Did you mean "parameters"/,
    ],
    [
      "a misspelt restriction",
      { name: "t", description: "", parameters, execute: () => "", ownerOnyl: true },
      /unknown field "ownerOnyl". Did you mean "ownerOnly"/,
    ],
    [
      "two schemas",
      { name: "t", description: "", parameters, parametersSchema: parameters, execute: () => "" },
      /both parameters and parametersSchema/,
    ],
    [
      "a restriction that is a text",
      { name: "t", description: "", parameters, execute: () => "", ownerOnly: "yes" },
      /"ownerOnly" must be true or false/,
    ],
  ])("%s is refused", (_what, shape, sentence) => {
    expect(() => readTool(shape as AnyTool)).toThrow(
      expect.objectContaining({ name: "ToolError", message: expect.stringMatching(sentence) }),
    );
  });

  it("anything else is refused with the form that is wanted", () => {
    for (const shape of [{}, { name: "t" }, { name: "t", description: "", execute: "run" }]) {
      expect(() => readTool(shape as unknown as AnyTool)).toThrow(/has no handler\. Write \{ name, description, inputSchema, handler \}/);
    }
    for (const shape of [undefined, null, "t"]) {
      expect(() => readTool(shape as unknown as AnyTool)).toThrow(
        /A tool has no handler\. Write \{ name, description, inputSchema, handler \}/,
      );
    }
    expect(() => readTool({ name: "t", description: "", inputSchema: {}, handler: "run" } as unknown as AnyTool)).toThrow(
      /Tool "t": "handler" must be a function/,
    );
  });
});

describe("a legacy tool", () => {
  const legacy = { name: "old", description: "From before schemas.", execute: (input: unknown) => ({ success: true, data: input }) };

  // row: A7
  it("takes any arguments, and reports its metadata as absent", async () => {
    const tool = wrapLegacyTool(legacy);
    expect(tool).not.toHaveProperty("metadata");
    expect(tool.inputSchema).toEqual({ type: "object" });
    expect(await executeTool(tool, { any: ["thing"] })).toMatchObject({ ok: true, data: { any: ["thing"] } });
    expect(await executeTool(tool, "no object")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("is called as a method of itself", async () => {
    const counting = {
      name: "count",
      description: "",
      count: 0,
      execute(): string {
        return String(++this.count);
      },
    };
    await executeTool(wrapLegacyTool(counting), {});
    expect(counting.count).toBe(1);
  });
});

describe("a tool with parameters and execute", () => {
  it("hears of the call, its signal and where to report progress, if it asks for more than its arguments", async () => {
    const seen: unknown[] = [];
    const tool = readTool({
      name: "t",
      description: "",
      parameters: {},
      label: "A title",
      ownerOnly: true,
      execute: async (callId, input, signal, onUpdate) => {
        seen.push(callId, input, signal.aborted);
        onUpdate("half");
        onUpdate({ done: 5 });
        return { content: [{ type: "text", text: "ok" }], details: { n: 1 } };
      },
    });
    expect(tool).toMatchObject({ title: "A title", metadata: { ownerOnly: true } });
    const updates: unknown[] = [];
    const context = { callId: "call-9", signal: new AbortController().signal, progress: (update: unknown) => updates.push(update) };
    await tool.handler({ a: 1 }, context as unknown as CallContext);
    expect(seen).toEqual(["call-9", { a: 1 }, false]);
    expect(updates).toEqual([{ message: "half" }, { message: '{"done":5}' }]);
    expect(await executeTool(tool, {})).toMatchObject({ ok: true, content: "ok", data: { n: 1 } });
  });
});
