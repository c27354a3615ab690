import { describe, expect, it } from "vitest";
import { readCalls, writeChoice, writeResults } from "../../../src/providers/wire/calls.ts";
import { exportTools } from "../../../src/providers/wire/export.ts";
import { providerTargets } from "../../../src/providers/providers.ts";
import type { ToolResult } from "../../../src/tool/result.ts";
import { replyFixtures } from "./replies.ts";
import { toolNamed } from "../tools.ts";

const meta = { callId: "x", tool: "t", durationMs: 1 };
const ok: ToolResult = { ok: true, content: "sunny", meta };
const failed: ToolResult = { ok: false, error: "No such file.", code: "TOOL_FAILED", status: 500, retryable: false, meta };
const picture: ToolResult = {
  ok: true,
  content: "[image image/png]",
  blocks: [
    { type: "text", text: "a chart" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ],
  meta,
};

const expected = [
  { name: "weather", input: { city: "Berlin" } },
  { name: "files_read", input: { path: "a" } },
];

describe.each(replyFixtures)("replies of $target ($typings)", ({ target, whole, ids }) => {
  // row: G10
  it("holds both parallel calls", () => {
    const calls = readCalls(whole, target);
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(expected);
    if (ids) expect(calls.map((call) => call.id)).toEqual(ids);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  // row: G10
  it("answers each call once, in order, under its id", () => {
    const calls = readCalls(whole, target);
    const text = JSON.stringify(writeResults(calls, [ok, failed], target));
    expect(text.indexOf("sunny")).toBeGreaterThan(-1);
    expect(text.indexOf("No such file.")).toBeGreaterThan(text.indexOf("sunny"));
    for (const id of ids ?? []) expect(text).toContain(`"${id}"`);
  });
});

const streams = replyFixtures.filter(({ streamed }) => streamed !== undefined);

it.each(streams)("a streamed reply of $target says the same in fragments", ({ target, streamed, ids }) => {
  const calls = readCalls(streamed, target);
  expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(expected);
  if (ids) expect(calls.map((call) => call.id)).toEqual(ids);
});

describe("arguments that cannot be read", () => {
  it("are an input error for that call alone", () => {
    const message = {
      tool_calls: [
        { id: "1", function: { name: "a", arguments: '{"x":' } },
        { id: "2", function: { name: "b", arguments: '{"x":1}' } },
      ],
    };
    const [broken, fine] = readCalls({ choices: [{ message }] }, "openai-chat");
    expect(broken).toMatchObject({ id: "1", name: "a", error: { code: "INPUT_INVALID", message: expect.stringContaining('Tool "a"') } });
    expect(fine).toEqual({ id: "2", name: "b", wireName: "b", input: { x: 1 } });
    const [answer] = writeResults([broken!], [], "openai-chat");
    expect(answer).toMatchObject({ role: "tool", tool_call_id: "1", content: expect.stringContaining("not valid JSON") });
  });

  it("are empty where a vendor sends nothing", () => {
    const reply = { choices: [{ message: { tool_calls: [{ id: "1", function: { name: "a", arguments: "" } }] } }] };
    expect(readCalls(reply, "groq")[0]).toMatchObject({ input: {} });
  });

  it("are refused when they are no object", () => {
    const reply = { output: [{ type: "function_call", call_id: "1", name: "a", arguments: "[1]" }] };
    expect(readCalls(reply, "openai-responses")[0]?.error?.message).toContain("a list, not an object");
  });
});

it("ids that the SDK of Mistral makes up are replaced by ids that differ", () => {
  const call = { id: "null", function: { name: "a", arguments: "{}" }, index: 0 };
  const calls = readCalls({ choices: [{ message: { toolCalls: [call, call] } }] }, "mistral");
  expect(calls.map(({ id }) => id)).toEqual(["call_0", "call_1"]);
});

it("streamed calls that the SDK of Mistral all puts at index 0 stay apart", () => {
  const call = (id: string): object => ({ id, function: { name: "a", arguments: `{"id":"${id}"}` }, index: 0 });
  const calls = readCalls([{ data: { choices: [{ delta: { toolCalls: [call("x"), call("y")] } }] } }], "mistral");
  expect(calls.map(({ id, input }) => [id, input])).toEqual([
    ["x", { id: "x" }],
    ["y", { id: "y" }],
  ]);
});

describe("exported tools", () => {
  it("give calls their own names and their own form back", () => {
    const tool = toolNamed("notes.write", {
      type: "object",
      properties: { tags: { type: "object", additionalProperties: { type: "string" } }, title: { type: "string" } },
    });
    const exported = exportTools([tool], "openai-strict");
    const [name] = Object.keys(exported.names);
    const reply = {
      output: [{ type: "function_call", call_id: "1", name, arguments: '{"tags":{"entries":[{"key":"a","value":"b"}]},"title":null}' }],
    };
    expect(readCalls(reply, exported)).toEqual([{ id: "1", name: "notes.write", wireName: name, input: { tags: { a: "b" } } }]);
    expect(writeChoice({ tool: "notes.write" }, exported)).toEqual({ tool_choice: { type: "function", name } });
  });
});

describe("results", () => {
  const calls = [{ id: "1", name: "t", wireName: "t", input: {} }];

  it.each([
    ["anthropic", { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "No such file.", is_error: true }] }],
    ["openai-responses", { type: "function_call_output", call_id: "1", output: "Error: No such file." }],
    ["openai-chat", { role: "tool", tool_call_id: "1", content: "Error: No such file." }],
    ["gemini", { role: "user", parts: [{ functionResponse: { id: "1", name: "t", response: { error: "No such file." } } }] }],
    ["bedrock", { role: "user", content: [{ toolResult: { toolUseId: "1", content: [{ text: "No such file." }], status: "error" } }] }],
    ["mistral", { role: "tool", tool_call_id: "1", name: "t", content: "Error: No such file." }],
    ["ollama", { role: "tool", tool_name: "t", content: "Error: No such file." }],
    ["generic", { id: "1", name: "t", success: false, data: null, error: "No such file." }],
    // row: G10
  ] as const)("%s is told of a failure in its own way", (target, expected) => {
    expect(writeResults(calls, [failed], target)).toEqual([expected]);
  });

  it.each([
    ["anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } }],
    ["openai-responses", { type: "input_image", image_url: "data:image/png;base64,aGk=" }],
    ["openai-chat", { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }],
    ["gemini", { inlineData: { mimeType: "image/png", data: "aGk=" } }],
    ["mistral", { type: "image_url", image_url: "data:image/png;base64,aGk=" }],
    ["ollama", ["aGk="]],
  ] as const)("%s is shown an image in its own way", (target, expected) => {
    const text = JSON.stringify(writeResults(calls, [picture], target));
    expect(text).toContain(JSON.stringify(expected));
    expect(text).toContain("a chart");
  });

  it("carry bytes for Bedrock", () => {
    expect(writeResults(calls, [picture], "bedrock")).toEqual([
      {
        role: "user",
        content: [
          {
            toolResult: {
              toolUseId: "1",
              status: "success",
              content: [{ text: "a chart" }, { image: { format: "png", source: { bytes: new Uint8Array([104, 105]) } } }],
            },
          },
        ],
      },
    ]);
  });

  it.each(providerTargets)("of %s hold the details beside an image", (target) => {
    const detailed: ToolResult = { ...picture, data: { seed: 7 } };
    const text = JSON.stringify(writeResults(calls, [detailed], target));
    expect(text.replaceAll("\\", "")).toContain('"seed":7');
  });

  // row: B4
  it("of Anthropic hold the details as a last block of text, unless a block shows them", () => {
    const written = (result: object) => writeResults(calls, [{ ...picture, ...result }], "anthropic")[0]!.content[0];
    expect(written({ data: { seed: 7 } })).toMatchObject({
      content: [{ type: "text", text: "a chart" }, { type: "image" }, { type: "text", text: '{"seed":7}' }],
    });
    const blocks = [...picture.blocks!, { type: "json", data: { seed: 7 } }];
    expect(written({ blocks, data: { seed: 7 } })).toMatchObject({ content: [{}, {}, { text: '{"seed":7}' }] });
    const said = { ok: true, content: "done", blocks: [{ type: "text", text: "done" }], data: { seed: 7 } };
    expect(written(said)).toMatchObject({ content: 'done\n{"seed":7}' });
  });

  it("name an image of a type that vendors refuse, and show the others under the right type", () => {
    const blocks = [
      { type: "image", data: "aGk=", mimeType: "image/svg+xml" },
      { type: "image", data: "aGk=", mimeType: "image/jpg" },
    ] as const;
    for (const target of providerTargets.filter((name) => name !== "generic" && name !== "ollama")) {
      const text = JSON.stringify(writeResults(calls, [{ ok: true, content: "two", blocks, meta }], target));
      expect(text).toContain("[image image/svg+xml]");
      expect(text).toMatch(/jpeg/);
    }
    const [only] = writeResults(calls, [{ ok: true, content: "a drawing", blocks: blocks.slice(0, 1), meta }], "anthropic");
    expect(only).toEqual({ role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "a drawing" }] });
  });

  it("without any text say so to Bedrock, which refuses a blank one", () => {
    const [message] = writeResults(calls, [{ ok: true, content: "", meta }], "bedrock");
    expect(message).toMatchObject({ content: [{ toolResult: { content: [{ text: "(no output)" }] } }] });
  });

  it("are spelled for the SDKs of Mistral and Cohere on request", () => {
    expect(writeResults(calls, [picture], "mistral", { spelling: "sdk" })).toEqual([
      {
        role: "tool",
        toolCallId: "1",
        name: "t",
        content: [
          { type: "text", text: "a chart" },
          { type: "image_url", imageUrl: "data:image/png;base64,aGk=" },
        ],
      },
    ]);
    expect(writeResults(calls, [ok], "cohere", { spelling: "sdk" })).toEqual([{ role: "tool", toolCallId: "1", content: "sunny" }]);
    expect(writeResults(calls, [ok], "openai-chat", { spelling: "sdk" })).toEqual(writeResults(calls, [ok], "openai-chat"));
    expect(writeChoice({ tool: "t_1" }, "mistral", { parallel: false, spelling: "sdk" })).toEqual({
      toolChoice: { type: "function", function: { name: "t_1" } },
      parallelToolCalls: false,
    });
  });

  it("are nothing when nothing was called", () => {
    for (const target of providerTargets) expect(writeResults([], [], target)).toEqual([]);
  });
});

describe("results that answer nothing", () => {
  const calls = readCalls({ calls: [{ name: "a" }, { name: "b" }] }, "generic");

  it.each([
    ["a promise", Promise.resolve([ok, ok]), "got a promise. Pass await registry.callAll(calls)."],
    ["one result", ok, "got an object."],
    ["text", ["sunny"], "result 0 is text, not the result of a call."],
    ["the value of a handler", [ok, { city: "Berlin" }], "result 1 is an object, not the result of a call."],
    ["a promise of a result", [ok, Promise.resolve(ok)], "result 1 is a promise"],
    ["more results than calls", [ok, ok, ok], "got 3 results for 2 calls."],
  ])("%s is refused", (_what, results, message) => {
    for (const target of providerTargets) {
      expect(() => writeResults(calls, results as never, target)).toThrow(expect.objectContaining({ code: "RESULT_INVALID" }));
      expect(() => writeResults(calls, results as never, target)).toThrow(message);
    }
  });

  it("calls that were not read are refused", () => {
    const reply = { content: [] };
    expect(() => writeResults(reply as never, [], "anthropic")).toThrow(
      "needs the list of calls that readCalls returned, and got an object.",
    );
  });

  it("a target that is nothing is refused", () => {
    expect(() => writeResults(calls, [], null as never)).toThrow('There is no vendor "null".');
  });
});

describe("tool choice", () => {
  it.each(["any", "", undefined, null, {}, { name: "t" }, { tool: 1 }, { tools: [] }, { tools: "t" }, { tools: ["t"], mode: "any" }])(
    "%j is refused",
    (choice) => {
      for (const target of providerTargets)
        expect(() => writeChoice(choice as never, target)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
      expect(() => writeChoice(choice as never, "ollama")).toThrow(/does not know the choice .*\. Use "auto", "none", "required"/);
    },
  );

  it.each([
    ["anthropic", "required", { tool_choice: { type: "any", disable_parallel_tool_use: true } }],
    ["anthropic", { tool: "t" }, { tool_choice: { type: "tool", name: "t", disable_parallel_tool_use: true } }],
    ["anthropic", "none", { tool_choice: { type: "none" } }],
    [
      "openai-responses",
      { tools: ["t"] },
      { tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "t" }] }, parallel_tool_calls: false },
    ],
    ["openai-chat", { tool: "t" }, { tool_choice: { type: "function", function: { name: "t" } }, parallel_tool_calls: false }],
    ["gemini", { tools: ["t"] }, { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["t"] } } }],
    ["gemini", "none", { toolConfig: { functionCallingConfig: { mode: "NONE" } } }],
    ["bedrock", "required", { toolChoice: { any: {} } }],
    ["mistral", "required", { tool_choice: "any", parallel_tool_calls: false }],
    ["cohere", "required", { tool_choice: "REQUIRED" }],
    ["groq", { tools: ["t"] }, { tool_choice: "required", parallel_tool_calls: false }],
    ["deepseek", "auto", { tool_choice: "auto" }],
    ["ollama", "required", {}],
  ] as const)("%s: %j", (target, choice, expected) => {
    expect(writeChoice(choice, target, { parallel: false })).toEqual(expected);
  });
});
