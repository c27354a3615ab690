import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toAiSdk } from "../../../../src/providers/wire/frameworks/ai-sdk.ts";
import { type ForeignAiSdkTool, fromAiSdk, type FromAiSdkOptions } from "../../../../src/providers/wire/frameworks/from-ai-sdk.ts";
import { createRegistry } from "../../../../src/registry/create.ts";
import type { ToolResult } from "../../../../src/tool/result.ts";

/** What `jsonSchema()` and `zodSchema()` of the package ai create. */
const schema = (jsonSchema: unknown, validate?: unknown) => ({ [Symbol.for("vercel.ai.schema")]: true, jsonSchema, validate });
const city = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};

function run(tool: Partial<ForeignAiSdkTool>, input: unknown = { city: "Oslo" }, options?: FromAiSdkOptions): Promise<ToolResult> {
  const registry = createRegistry();
  for (const defined of fromAiSdk({ look: { inputSchema: schema(city), execute: () => "seen", ...tool } }, options))
    registry.register(defined);
  return registry.invoke("look", input, { callId: "7" });
}

describe("fromAiSdk", () => {
  it("runs execute with the input, the call's id and its signal", async () => {
    const given: unknown[] = [];
    const execute = (...parts: unknown[]) => {
      given.push(...parts);
      return { seen: true };
    };
    expect(await run({ execute })).toMatchObject({ ok: true, data: { seen: true } });
    expect(given).toMatchObject([{ city: "Oslo" }, { toolCallId: "7", messages: [], abortSignal: expect.any(AbortSignal) }]);
  });

  it("shows the tools' own names, texts and schemas", () => {
    const execute = () => 1;
    const [first, second] = fromAiSdk(
      {
        look: { title: "Look", description: "Looks.", inputSchema: () => schema(city), outputSchema: schema({ type: "object" }), execute },
        count: {
          description: ({ context }) => `Counts ${context}.`,
          inputSchema: z.object({ to: z.number() }),
          contextSchema: {},
          execute,
        },
      },
      { toolsContext: { count: "sheep" } },
    );
    expect(first).toMatchObject({
      name: "look",
      title: "Look",
      description: "Looks.",
      inputSchema: { type: "object", required: ["city"] },
    });
    expect(first!.outputSchema).toEqual({ type: "object" });
    expect(second).toMatchObject({ name: "count", description: "Counts sheep.", inputSchema: { properties: { to: { type: "number" } } } });
  });

  it("checks the input by the schema's own validation, and passes on what it makes of it", async () => {
    const validate = (value: { city: string }) =>
      value.city === "" ? { success: false, error: new Error("Which city?") } : { success: true, value: value.city };
    const execute = (input: unknown) => input;
    expect(await run({ inputSchema: schema(city, validate), execute })).toMatchObject({ ok: true, content: "Oslo" });
    const refused = await run({ inputSchema: schema(city, validate), execute }, { city: "" });
    expect(refused).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("Which city?") });
    const zod = z.object({ city: z.string().transform((text) => text.length) });
    expect(await run({ inputSchema: zod, execute })).toMatchObject({ ok: true, data: { city: 4 } });
  });

  it.each(["issues", "cause"])("names where the input is wrong, by the %s of the error", async (key) => {
    const error = Object.assign(new Error("wrong"), { [key]: [{ path: ["city"], message: "Which city?" }] });
    const refused = await run({ inputSchema: schema(city, () => ({ success: false, error })) });
    expect(refused).toMatchObject({ ok: false, issues: [{ path: "/city", message: "city: Which city?" }] });
  });

  it("answers the last output of a generator, and those before it as progress", async () => {
    const registry = createRegistry();
    const [tool] = fromAiSdk({
      look: {
        inputSchema: schema({ type: "object" }),
        async *execute() {
          yield "opening the eyes";
          yield { seen: 1 };
        },
      },
    });
    registry.register(tool!);
    const told: unknown[] = [];
    const result = await registry.invoke("look", {}, { onProgress: ({ message }) => told.push(message) });
    expect(result).toMatchObject({ ok: true, data: { seen: 1 } });
    expect(told).toEqual(["opening the eyes", '{"seen":1}']);
  });

  it("ends a generator whose call was cancelled", async () => {
    const controller = new AbortController();
    const registry = createRegistry();
    let ended: () => void;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const [tool] = fromAiSdk({
      look: {
        inputSchema: schema({ type: "object" }),
        async *execute() {
          try {
            controller.abort();
            for (;;) yield "again";
          } finally {
            ended();
          }
        },
      },
    });
    registry.register(tool!);
    expect(await registry.invoke("look", {}, { signal: controller.signal })).toMatchObject({ ok: false, code: "ABORTED" });
    await end;
  });

  it.each<[string, unknown, object]>([
    ["text", { type: "text", value: "clear" }, { ok: true, content: "clear" }],
    ["data", { type: "json", value: { sky: "clear" } }, { ok: true, content: '{"sky":"clear"}', data: { sky: "clear" } }],
    ["an error", { type: "error-text", value: "No sky." }, { ok: false, code: "TOOL_FAILED", error: "No sky." }],
    ["an error with data", { type: "error-json", value: { no: "sky" } }, { ok: false, code: "TOOL_FAILED", error: '{"no":"sky"}' }],
    ["a refusal", { type: "execution-denied", reason: "Not today." }, { ok: false, code: "APPROVAL_DENIED", error: "Not today." }],
    ["a refusal without a reason", { type: "execution-denied" }, { ok: false, error: 'Tool "look" was not allowed to run.' }],
    ["what is no output", undefined, { ok: false, code: "RESULT_INVALID", error: expect.stringContaining("answered no output") }],
    ["an unknown output", { type: "video" }, { ok: false, code: "RESULT_INVALID", error: expect.stringContaining('of type "video"') }],
  ])("takes %s from toModelOutput", async (_, shown, result) => {
    expect(await run({ toModelOutput: () => shown })).toMatchObject(result);
  });

  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
  const image = { type: "image", data: png, mimeType: "image/png" };
  it.each<[string, object, object]>([
    ["media of version 5", { type: "media", data: png, mediaType: "image/png" }, image],
    ["image data of version 6", { type: "image-data", data: png, mediaType: "image/png" }, image],
    ["a file of version 7", { type: "file", data: { type: "data", data: png }, mediaType: "image/png" }, image],
    ["bytes", { type: "file", data: { type: "data", data: new Uint8Array(Buffer.from(png, "base64")) }, mediaType: "image/png" }, image],
    ["a data URL", { type: "image-url", url: `data:image/png;base64,${png}` }, image],
    ["a sound", { type: "file-data", data: "UklG", mediaType: "audio/wav" }, { type: "audio", data: "UklG", mimeType: "audio/wav" }],
    [
      "a link",
      { type: "file", data: { type: "url", url: new URL("https://a.example/b") }, mediaType: "image/png" },
      { type: "resource_link", uri: "https://a.example/b", name: "https://a.example/b", mimeType: "image/png" },
    ],
    ["a text file", { type: "file", data: { type: "text", text: "a" }, mediaType: "text/plain" }, { type: "text", text: "a" }],
    ["another file", { type: "file-data", data: "JVBE", mediaType: "application/pdf" }, { type: "text", text: "[file application/pdf]" }],
    ["an unknown part", { type: "custom" }, { type: "json", data: { type: "custom" } }],
  ])("takes %s as a part", async (_, part, block) => {
    const shown = { type: "content", value: [{ type: "text", text: "Look." }, part] };
    expect(await run({ toModelOutput: () => shown })).toMatchObject({ ok: true, blocks: [{ type: "text", text: "Look." }, block] });
  });

  it("keeps the output as data where a schema describes it", async () => {
    const outputSchema = schema({ type: "object", properties: { sky: { type: "string" } } });
    const execute = () => ({ sky: "clear" });
    const toModelOutput = ({ output }: { output: { sky: string } }) => ({ type: "text", value: `It is ${output.sky}.` });
    expect(await run({ outputSchema, execute, toModelOutput })).toMatchObject({
      ok: true,
      content: "It is clear.",
      data: { sky: "clear" },
    });
    expect(await run({ execute, toModelOutput })).not.toHaveProperty("data");
  });

  it("answers what execute throws as a failure", async () => {
    const execute = () => {
      throw new Error("No eyes.");
    };
    expect(await run({ execute })).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "No eyes." });
  });

  it("takes back what toAiSdk made", async () => {
    const registry = createRegistry();
    const [tool] = fromAiSdk({ look: { inputSchema: schema(city), execute: () => "seen" } });
    registry.register(tool!);
    const back = fromAiSdk(toAiSdk(registry.list(), { call: registry.invoke }));
    expect(back).toMatchObject([{ name: "look", inputSchema: { type: "object", required: ["city"] } }]);
  });

  it.each<[string, unknown, RegExp]>([
    ["a tool that a browser executes", { look: { inputSchema: schema(city) } }, /tool "look" has no execute function/],
    ["a tool of a vendor", { look: { type: "provider", id: "openai.web_search", args: {} } }, /tool "look" is defined by a model's vendor/],
    [
      "a tool that asks for approval",
      { look: { inputSchema: schema(city), execute: () => 1, needsApproval: true } },
      /has needsApproval.*Require the approval in the registry's policy/,
    ],
    [
      "a tool that needs a context",
      { look: { inputSchema: schema(city), execute: () => 1, contextSchema: {} } },
      /toolsContext: \{ "look": … \}/,
    ],
    ["a tool of version 4", { look: { parameters: schema(city), execute: () => 1 } }, /has no inputSchema\. From version 5/],
    [
      "a schema that is a promise",
      { look: { inputSchema: schema(Promise.resolve(city)), execute: () => 1 } },
      /inputSchema that is a promise/,
    ],
    ["a single tool", { inputSchema: schema(city), execute: () => 1 }, /takes tools by their names/],
    ["what is no tool", { look: 5 }, /tool "look" is no object/],
  ])("refuses %s", (_, tools, message) => {
    expect(() => fromAiSdk(tools as never)).toThrow(
      expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringMatching(message) }),
    );
  });
});
