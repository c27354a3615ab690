import { describe, expect, it } from "vitest";
import { toAiSdk } from "../../../../src/providers/wire/frameworks/ai-sdk.ts";
import type { CallTool } from "../../../../src/providers/wire/frameworks/framework.ts";
import { toMastra } from "../../../../src/providers/wire/frameworks/mastra.ts";
import { toOpenAIAgents } from "../../../../src/providers/wire/frameworks/openai-agents.ts";
import type { ContentBlock, ToolSuccess } from "../../../../src/tool/result.ts";
import { toolNamed } from "../../tools.ts";

const tool = toolNamed("look", { type: "object", properties: {} });
const blocks: readonly ContentBlock[] = [
  { type: "text", text: "Here it is." },
  { type: "image", data: "iVBO", mimeType: "image/png" },
  { type: "image", data: "PHN2", mimeType: "image/svg+xml" },
  { type: "json", data: { width: 1 } },
];
const shown = [
  { type: "text", text: "Here it is." },
  "the image",
  { type: "text", text: "[image image/svg+xml]" },
  { type: "text", text: '{"width":1}' },
];
const withImage = (image: object): unknown[] => shown.map((part) => (part === "the image" ? image : part));

function answering(success: Partial<ToolSuccess>): CallTool {
  const meta = { callId: "c", tool: "look", durationMs: 1 };
  return () => Promise.resolve({ ok: true, content: "Here it is.", meta, ...success });
}

const call = answering({ blocks, data: { width: 1 } });
const plain = withImage({ type: "image", data: "iVBO", mimeType: "image/png" });

describe("toAiSdk shows images to the model", () => {
  const look = (callTool: CallTool = call) => toAiSdk([tool], { call: callTool })["look"]!;

  it("answers the parts and the data, as plain JSON", async () => {
    expect(await look().execute({})).toEqual({ content: plain, details: { width: 1 } });
    expect(await look(answering({ blocks })).execute({})).toEqual({ content: plain });
  });

  it("as a file in version 7, as image data in version 6, and as media in version 5", async () => {
    const made = look();
    const output: unknown = JSON.parse(JSON.stringify(await made.execute({}, { toolCallId: "1" })));
    const given = { toolCallId: "1", input: {}, output };
    expect(made.toModelOutput(output)).toEqual({
      type: "content",
      value: withImage({ type: "media", data: "iVBO", mediaType: "image/png" }),
    });
    expect(made.toModelOutput(given)).toEqual({
      type: "content",
      value: withImage({ type: "image-data", data: "iVBO", mediaType: "image/png" }),
    });
    const version7 = { toolCallId: "1", context: undefined };
    await made.execute({}, version7);
    expect(made.toModelOutput(given)).toEqual({
      type: "content",
      value: withImage({ type: "file", data: { type: "data", data: "iVBO" }, mediaType: "image/png" }),
    });
  });

  it("and other outputs as text or JSON", () => {
    const { toModelOutput } = look();
    expect(toModelOutput("text")).toEqual({ type: "text", value: "text" });
    expect(toModelOutput({ toolCallId: "1", input: {}, output: { a: 1 } })).toEqual({ type: "json", value: { a: 1 } });
    expect(toModelOutput({ toolCallId: "1", input: {}, output: undefined })).toEqual({ type: "json", value: null });
    for (const other of [
      { content: "text" },
      { content: [] },
      { content: [{ type: "text", text: "a" }] },
      { content: [{ type: "image" }] },
      { content: [1] },
    ])
      expect(toModelOutput(other)).toEqual({ type: "json", value: other });
  });
});

describe("toMastra shows images to the model", () => {
  it("as media, and leaves other outputs as they are", async () => {
    const made = toMastra([tool], { call })["look"]!;
    const output: unknown = await made.execute({});
    expect(output).toEqual({ content: plain, details: { width: 1 } });
    expect(made.toModelOutput(output)).toEqual({
      type: "content",
      value: withImage({ type: "media", data: "iVBO", mediaType: "image/png" }),
    });
    expect(made.toModelOutput({ width: 1 })).toBeUndefined();
  });
});

describe("toOpenAIAgents shows images to the model", () => {
  it("as parts of the output", async () => {
    const [made] = toOpenAIAgents([tool], { call });
    expect(await made!.invoke({}, "{}")).toEqual(withImage({ type: "image", image: "data:image/png;base64,iVBO" }));
  });

  it("and the text of a result without images, rather than its data", async () => {
    const [made] = toOpenAIAgents([tool], { call: answering({ content: "One pixel.", data: { width: 1 } }) });
    expect(await made!.invoke({}, "{}")).toBe("One pixel.");
  });
});
