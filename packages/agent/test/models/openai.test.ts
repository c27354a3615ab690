import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssistantMessage } from "../../src/message.ts";
import { openaiModel } from "../../src/models/openai.ts";
import type { ModelOptions } from "../../src/models/shared/options.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { exported, request, succeeded, user } from "./_conversation.ts";
import { collect, type ModelServer, startModelServer } from "./_server.ts";
import { openai } from "./_vendors/openai.ts";

let server: ModelServer;
const tools = exported("openai-responses");
const open = (options: Partial<ModelOptions> = {}): ModelClient =>
  openaiModel({ model: "gpt-5.5", baseUrl: `${server.url}/v1`, ...options });

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function said(events: readonly string[]): Promise<AssistantMessage> {
  server.events(events, openai.contentType);
  return (await collect(open().stream(request([user("go")], { tools })))).end.message;
}

async function inputAfter(model: ModelClient, message: AssistantMessage): Promise<{ type?: string }[]> {
  server.events(openai.write({ text: ["ok"] }), openai.contentType);
  await collect(model.stream(request([user("go"), message, { role: "tool", results: [succeeded("text")] }], { tools })));
  return (server.lastBody() as { input: { type?: string }[] }).input;
}

const reply = { thinking: ["Hm."], text: ["Listing."], calls: [{ name: "list", input: { path: "a" } }] };

describe("openaiModel", () => {
  it("has nothing stored, and asks for encrypted reasoning beside what the settings ask for", async () => {
    server.events(openai.write({ text: ["ok"] }), openai.contentType);
    await collect(
      open({ body: { include: ["message.output_text.logprobs"], reasoning: { effort: "low" } } }).stream(request([user("go")])),
    );
    expect(server.lastBody()).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
      reasoning: { effort: "low" },
    });
  });

  it("sends reasoning back unchanged, before the items that it came with", async () => {
    const message = JSON.parse(JSON.stringify(await said(openai.write(reply)))) as AssistantMessage;
    const input = await inputAfter(open(), message);
    expect(input.slice(1, 4)).toEqual(message.raw!.items);
    expect(input.map(({ type }) => type)).toEqual([undefined, "reasoning", "message", "function_call", "function_call_output"]);
    expect(input[1]).toMatchObject({ id: "rs_1", encrypted_content: "gAAAA-secret-thoughts" });
  });

  it("leaves it out for another model, where calls were taken away, and where nothing was encrypted", async () => {
    const message = await said(openai.write(reply));
    const types = async (model: ModelClient, from: AssistantMessage): Promise<unknown> =>
      (await inputAfter(model, from)).map(({ type }) => type);
    expect(await types(open({ model: "gpt-5.4" }), message)).toEqual([undefined, undefined, "function_call", "function_call_output"]);
    expect(await types(open(), { ...message, calls: [] })).toEqual([undefined, undefined]);
    const stored = openai
      .write(reply)
      .map((event) => event.replaceAll('"encrypted_content":"gAAAA-secret-thoughts"', '"encrypted_content":null'));
    expect((await said(stored)).raw).toBeUndefined();
  });

  it("does not try again without quota", async () => {
    server.refuse(429, { error: { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" } });
    const { end } = await collect(open().stream(request([user("go")])));
    expect(end.failure).toMatchObject({ retryable: false, status: 429, message: expect.stringContaining("no quota left") });
  });
});
