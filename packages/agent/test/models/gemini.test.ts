import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/message.ts";
import { geminiModel } from "../../src/models/gemini.ts";
import type { ModelOptions } from "../../src/models/shared/options.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { exported, request, succeeded, user } from "./_conversation.ts";
import { collect, type ModelServer, startModelServer } from "./_server.ts";
import { gemini } from "./_vendors/gemini.ts";

let server: ModelServer;
const tools = exported("gemini");
const open = (options: Partial<ModelOptions> = {}): ModelClient =>
  geminiModel({ model: "gemini-3-flash-preview", baseUrl: `${server.url}/v1beta`, ...options });
const end = async (model = open()) => (await collect(model.stream(request([user("go")], { tools })))).end;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function partsAfter(model: ModelClient, message: AssistantMessage): Promise<readonly object[]> {
  server.events(gemini.write({ text: ["ok"] }), gemini.contentType);
  await collect(
    model.stream(request([user("go"), message, { role: "tool", results: message.calls.map(() => succeeded("text")) }], { tools })),
  );
  return (server.lastBody() as { contents: { parts: object[] }[] }).contents[1]!.parts;
}

describe("geminiModel", () => {
  it("sends signatures back on the parts that they came with, and to no other model", async () => {
    server.events(
      gemini.write({
        thinking: ["Hm."],
        text: ["Lis", "ting."],
        calls: [
          { name: "list", input: { path: "a" } },
          { name: "list", input: { path: "b" } },
        ],
      }),
      gemini.contentType,
    );
    const message = JSON.parse(JSON.stringify((await end()).message)) as AssistantMessage;
    const calls = [{ functionCall: { name: "list", args: { path: "a" } } }, { functionCall: { name: "list", args: { path: "b" } } }];
    expect(await partsAfter(open(), message)).toEqual([{ text: "Listing." }, { ...calls[0], thoughtSignature: "Z2VtaW5p" }, calls[1]]);
    expect(await partsAfter(open({ model: "gemini-2.5-pro" }), message)).toEqual([{ text: "Listing." }, ...calls]);
    expect(await partsAfter(open(), { ...message, calls: message.calls.slice(1) })).toEqual([{ text: "Listing." }, calls[1]]);
  });

  it("tells a blocked prompt as a refusal, with the reason", async () => {
    server.events(
      [gemini.event({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 9 } })],
      gemini.contentType,
    );
    expect(await end()).toMatchObject({
      stop: "refused",
      usage: { inputTokens: 9 },
      failure: { message: expect.stringContaining("PROHIBITED_CONTENT"), retryable: false },
    });
  });

  it("fails with a call that the model wrote wrongly, and may ask again", async () => {
    server.events([gemini.event({ candidates: [{ content: {}, finishReason: "MALFORMED_FUNCTION_CALL" }] })], gemini.contentType);
    expect(await end()).toMatchObject({
      stop: "failed",
      failure: { message: expect.stringContaining("MALFORMED_FUNCTION_CALL"), retryable: true },
    });
  });

  it("waits as long as the error says", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.5s" }];
    server.refuse(429, [{ error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED", details } }]);
    expect((await end()).failure).toMatchObject({ retryable: true, retryAfterMs: 17_500, message: expect.stringContaining("in 18 s") });
  });

  it("keeps the settings for generation beside its own limit", async () => {
    server.events(gemini.write({ text: ["ok"] }), gemini.contentType);
    await end(open({ maxOutputTokens: 5, body: { generationConfig: { temperature: 0 }, safetySettings: [] } }));
    expect(server.lastBody()).toMatchObject({ generationConfig: { temperature: 0, maxOutputTokens: 5 }, safetySettings: [] });
  });
});
