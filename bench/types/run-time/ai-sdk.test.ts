import { fromAiSdk } from "@toolrack/core/vendors";
import { jsonSchema, tool, zodSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { chat, createAgent, generate } from "../ai-sdk.ts";
import { png, registry, tools } from "../registry.ts";
import { createScriptedModel, outputsIn } from "./scripted-model.ts";

const weather = "weather_today_e5abcfe6";

describe("generateText with toAiSdk", () => {
  it("shows the model our tools, their data, their images and their failures", async () => {
    const calls = [
      { name: weather, input: { city: "Oslo" } },
      { name: "camera", input: {} },
      { name: weather, input: { city: "" } },
    ];
    const { model, seen } = createScriptedModel(calls);
    expect(await generate(model, "How is the street?")).toBe("Done.");
    expect(seen[0]!.tools).toMatchObject([{ name: weather, inputSchema: tools[0]!.inputSchema }, { name: "camera" }]);
    expect(outputsIn(seen)).toEqual([
      { type: "json", value: { city: "Oslo", sky: "clear" } },
      {
        type: "content",
        value: [
          { type: "text", text: "The street, now." },
          { type: "file", data: { type: "data", data: png }, mediaType: "image/png" },
        ],
      },
      { type: "error-text", value: expect.stringContaining('"weather.today"') },
    ]);
  });

  it("works in an agent", async () => {
    const { model, seen } = createScriptedModel([{ name: "camera", input: {} }]);
    await createAgent(model).generate({ prompt: "How is the street?" });
    expect(outputsIn(seen)).toMatchObject([{ type: "content" }]);
  });
});

describe("a stored conversation", () => {
  it("shows its images to the model again", async () => {
    const output = { content: [{ type: "image", data: png, mimeType: "image/png" }] };
    const { model, seen } = createScriptedModel([]);
    const reply = await chat(model, [
      { id: "1", role: "user", parts: [{ type: "text", text: "How is the street?" }] },
      { id: "2", role: "assistant", parts: [{ type: "tool-camera", toolCallId: "1", state: "output-available", input: {}, output }] },
      { id: "3", role: "user", parts: [{ type: "text", text: "And now?" }] },
    ]);
    await reply.consumeStream();
    expect(outputsIn(seen)).toMatchObject([
      { type: "content", value: [{ type: "file", data: { type: "data", data: png }, mediaType: "image/png" }] },
    ]);
  });
});

describe("fromAiSdk takes real tools over", () => {
  it("of Zod, and of a JSON Schema", async () => {
    expect(await registry.invoke("convert", { celsius: 100 })).toMatchObject({ ok: true, data: { fahrenheit: 212 } });
    expect(await registry.invoke("convert", { celsius: "hot" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(registry.list().find(({ name }) => name === "page")!.inputSchema).toMatchObject({ required: ["url"] });
  });

  it("with transforms, generators, images and the call's id", async () => {
    const existing = {
      trim: tool({
        inputSchema: zodSchema(z.object({ text: z.string().transform((text) => text.trim()) })),
        execute: async ({ text }, { toolCallId }) => ({ text, toolCallId }),
      }),
      count: tool({
        inputSchema: jsonSchema({ type: "object" }),
        async *execute() {
          yield 1;
          yield 2;
        },
      }),
      photo: tool({
        inputSchema: z.object({}),
        execute: async () => png,
        toModelOutput: ({ output }) => ({
          type: "content",
          value: [{ type: "file", data: { type: "data", data: output }, mediaType: "image/png" }],
        }),
      }),
    };
    for (const one of fromAiSdk(existing)) registry.register(one);
    expect(await registry.invoke("trim", { text: " a " }, { callId: "1" })).toMatchObject({ data: { text: "a", toolCallId: "1" } });
    expect(await registry.invoke("count", {})).toMatchObject({ ok: true, data: 2 });
    expect(await registry.invoke("photo", {})).toMatchObject({ ok: true, blocks: [{ type: "image", data: png, mimeType: "image/png" }] });
  });
});
