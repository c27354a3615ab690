import { describe, expect, it } from "vitest";
import { type AiSdkTool, toAiSdk } from "../../../../src/providers/wire/frameworks/ai-sdk.ts";
import type { CallTool } from "../../../../src/providers/wire/frameworks/framework.ts";
import { toLangChain } from "../../../../src/providers/wire/frameworks/langchain.ts";
import { toMastra } from "../../../../src/providers/wire/frameworks/mastra.ts";
import { toOpenAIAgents } from "../../../../src/providers/wire/frameworks/openai-agents.ts";
import { toolNamed } from "../../tools.ts";

const tool = toolNamed("files.read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] });
const signal = new AbortController().signal;

function recording(ok = true): { call: CallTool; seen: unknown[] } {
  const seen: unknown[] = [];
  const meta = { callId: "c", tool: "files.read", durationMs: 1 };
  return {
    seen,
    call(...parts) {
      seen.push(parts);
      return Promise.resolve(
        ok ? { ok, content: "text", meta } : { ok, error: "Not there.", code: "TOOL_FAILED", status: 500, retryable: false, meta },
      );
    },
  };
}

describe("toAiSdk", () => {
  it("describes tools under legal names and calls them by their own", async () => {
    const { call, seen } = recording();
    const [[name, made]] = Object.entries(toAiSdk([tool], { call })) as [[string, AiSdkTool]];
    expect(name).toMatch(/^files_read_/);
    expect(made.inputSchema).toMatchObject({ [Symbol.for("vercel.ai.schema")]: true, jsonSchema: tool.inputSchema });
    expect(await made.execute({ path: "a" }, { toolCallId: "1", abortSignal: signal })).toBe("text");
    expect(seen).toEqual([["files.read", { path: "a" }, { callId: "1", signal }]]);
  });

  it("throws what failed", async () => {
    const [made] = Object.values(toAiSdk([tool], { call: recording(false).call }));
    await expect(made!.execute({ path: "a" })).rejects.toThrow("Not there.");
  });
});

describe("toOpenAIAgents", () => {
  it("reads arguments from text, and answers failures as text", async () => {
    const [made] = toOpenAIAgents([tool], { call: recording(false).call });
    expect(await made!.invoke({}, '{"path":"a"}')).toBe("Error: Not there.");
    expect(await made!.invoke({}, '{"path"')).toMatch(/^Error: The arguments are not valid JSON/);
    expect(await made!.needsApproval()).toBe(false);
    expect(await made!.isEnabled()).toBe(true);
  });

  it("passes the signal of the run on to the call", async () => {
    const { call, seen } = recording();
    const [made] = toOpenAIAgents([tool], { call });
    await made!.invoke({}, '{"path":"a"}', { signal } as never);
    expect(seen).toMatchObject([["files.read", { path: "a" }, { signal }]]);
  });
});

describe.each([
  ["toAiSdk", toAiSdk],
  ["toLangChain", toLangChain],
  ["toOpenAIAgents", toOpenAIAgents],
  ["toMastra", toMastra],
])("%s", (name, adapt: (tools: never, options: never) => unknown) => {
  const refuses = (tools: unknown, options: unknown, message: RegExp) =>
    expect(() => adapt(tools as never, options as never)).toThrow(
      expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringMatching(message) }),
    );

  it("refuses two tools of one name, of which a model could call only one", () => {
    refuses(
      [tool, tool],
      { call: recording().call },
      new RegExp(`^${name} needs tools of different names, and two are called "files.read"`),
    );
  });

  it("refuses what is no list, and options that cannot run a tool", () => {
    refuses(tool, { call: recording().call }, new RegExp(`^${name} needs a list of tools, and got an object`));
    refuses([{}], { call: recording().call }, new RegExp(`^${name}: item 0 of the list has no name, so it is not a tool`));
    refuses([tool], undefined, new RegExp(`^${name} needs a function that runs a tool: \\{ call: `));
    refuses([tool], { cal: () => {} }, new RegExp(`^${name} needs a function that runs a tool`));
  });
});

it("a broken tool is named", () => {
  const broken = toolNamed("broken", { type: "object", properties: { a: { $ref: "#/$defs/none" } } });
  expect(() => toAiSdk([tool, broken], { call: recording().call })).toThrow(/^Tool "broken": The schema's \$ref/);
});

describe("toMastra", () => {
  it("takes arguments as they are, or wrapped as older versions do", async () => {
    const { call, seen } = recording();
    const [made] = Object.values(toMastra([tool], { call }));
    await made!.execute({ path: "a" }, { toolCallId: "7", abortSignal: signal });
    await made!.execute({ context: { path: "b" }, runtimeContext: {} });
    expect(seen).toEqual([
      ["files.read", { path: "a" }, { callId: "7", signal }],
      ["files.read", { path: "b" }, {}],
    ]);
  });

  it("says the types of properties, which would lose lists otherwise", () => {
    const open = toolNamed("open", {
      type: "object",
      properties: { any: { description: "x" }, mode: { enum: ["a", null] }, fixed: { const: 1 }, either: { anyOf: [{}] } },
    });
    const [made] = Object.values(toMastra([open], { call: recording().call }));
    expect(made!.inputSchema["~standard"].jsonSchema.input({ target: "draft-07" })).toMatchObject({
      properties: {
        any: { description: "x", type: ["string", "number", "boolean", "object", "array", "null"] },
        mode: { enum: ["a", null], type: ["string", "null"] },
        fixed: { type: ["number"] },
        either: { anyOf: [{}] },
      },
    });
  });

  it("says its schema itself, and leaves checking to the call", () => {
    const [made] = Object.values(toMastra([tool], { call: recording().call }));
    const { jsonSchema, validate } = made!.inputSchema["~standard"];
    expect(jsonSchema.input({ target: "draft-07" })).toEqual(tool.inputSchema);
    expect(validate({ path: 5 })).toEqual({ value: { path: 5 } });
  });
});
