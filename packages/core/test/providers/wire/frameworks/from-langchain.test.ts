import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as zod3 } from "zod/v3";
import { fromLangChain } from "../../../../src/providers/wire/frameworks/from-langchain.ts";
import { createRegistry } from "../../../../src/registry/create.ts";
import type { ToolResult } from "../../../../src/tool/result.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const message = (fields: object) => ({ tool_call_id: "7", content: "", ...fields });

function run(answer: unknown, given: unknown[] = []): Promise<ToolResult> {
  const registry = createRegistry();
  const invoke = (...parts: unknown[]) => {
    given.push(...parts);
    return typeof answer === "function" ? answer() : Promise.resolve(answer);
  };
  for (const tool of fromLangChain([{ name: "look", description: "Looks.", schema, invoke }])) registry.register(tool);
  return registry.invoke("look", { city: "Oslo" }, { callId: "7" });
}

describe("fromLangChain", () => {
  it("runs a tool by a tool call with the call's id and its signal", async () => {
    const given: unknown[] = [];
    expect(await run(message({ content: "clear" }), given)).toMatchObject({ ok: true, content: "clear" });
    expect(given).toEqual([{ type: "tool_call", id: "7", name: "look", args: { city: "Oslo" } }, { signal: expect.any(AbortSignal) }]);
  });

  it("takes the content as the result, and the artifact as its data", async () => {
    expect(await run(message({ content: "clear", artifact: { sky: "clear" } }))).toMatchObject({
      ok: true,
      content: "clear",
      data: { sky: "clear" },
    });
    expect(await run(message({ content: "clear", artifact: 5n }))).toMatchObject({ ok: true, content: "clear" });
    expect(await run({ sky: "clear" })).toMatchObject({ ok: true, data: { sky: "clear" } });
  });

  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
  const image = { type: "image", data: png, mimeType: "image/png" };
  it.each<[string, unknown, object]>([
    ["an image_url", { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }, image],
    ["an image_url that is a text", { type: "image_url", image_url: `data:image/png;base64,${png}` }, image],
    ["an image of version 1", image, image],
    ["an image of version 0", { type: "image", source_type: "base64", data: png, mime_type: "image/png" }, image],
    [
      "a link",
      { type: "image", url: "https://a.example/b" },
      { type: "resource_link", uri: "https://a.example/b", name: "https://a.example/b" },
    ],
    ["a text", "a", { type: "text", text: "a" }],
    ["an unknown block", { type: "reasoning" }, { type: "json", data: { type: "reasoning" } }],
    ["what is no block", 5, { type: "json", data: 5 }],
  ])("takes %s as a block", async (_, block, taken) => {
    const content = [{ type: "text", text: "Look." }, block];
    expect(await run(message({ content }))).toMatchObject({ ok: true, blocks: [{ type: "text", text: "Look." }, taken] });
  });

  it("answers a message about an error, and what was thrown, as a failure", async () => {
    expect(await run(message({ content: "No sky.", status: "error" }))).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "No sky." });
    expect(await run(() => Promise.reject(new Error("No eyes.")))).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "No eyes." });
  });

  it("refuses a command, which only a graph can follow", async () => {
    expect(await run({ lg_name: "Command", update: {} })).toMatchObject({
      ok: false,
      code: "RESULT_INVALID",
      error: expect.stringContaining("answered with a Command of LangGraph"),
    });
  });

  it("shows schemas of Zod, and leaves their transforms to LangChain", async () => {
    const registry = createRegistry();
    const given: unknown[] = [];
    const invoke = (call: { args: unknown }) => Promise.resolve(given.push(call.args));
    const [tool] = fromLangChain([{ name: "look", schema: z.object({ city: z.string().transform((text) => text.length) }), invoke }]);
    registry.register(tool!);
    expect(tool).toMatchObject({ description: "", inputSchema: { type: "object", properties: { city: { type: "string" } } } });
    await registry.invoke("look", { city: "Oslo" });
    expect(given).toEqual([{ city: "Oslo" }]);
  });

  it("takes a tool that takes one text", () => {
    const text = zod3.object({ input: zod3.string().optional() }).transform(({ input }) => input);
    const [tool] = fromLangChain([{ name: "look", schema: text, invoke: () => Promise.resolve("") }]);
    expect(tool!.inputSchema).toEqual({ type: "object", properties: { input: { type: "string" } } });
  });

  const invoke = () => Promise.resolve("");
  it.each<[string, unknown, RegExp]>([
    ["what is no list", { look: {} }, /^fromLangChain takes a list of tools/],
    [
      "what is no tool",
      [{ name: "look", schema }],
      /^fromLangChain takes tools with a name and an invoke function, and tools\[0\] has not both/,
    ],
    ["a schema of Zod 3", [{ name: "look", schema: zod3.object({}), invoke }], /^Tool "look", schema: .*use Zod 4\.2 or newer/],
    ["a tool without a schema", [{ name: "look", invoke }], /^Tool "look": inputSchema must be a JSON Schema/],
  ])("refuses %s", (_, tools, text) => {
    expect(() => fromLangChain(tools as never)).toThrow(expect.objectContaining({ message: expect.stringMatching(text) }));
  });
});
