import { createRegistry } from "@toolrack/core";
import { assertTool } from "@toolrack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatModel } from "../../src/models/chat.ts";
import { llmTool, type LlmToolOptions } from "../../src/models/llm-tool.ts";
import { ollamaModel } from "../../src/models/ollama.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { type ModelServer, startModelServer } from "./_server.ts";
import { chat } from "./_vendors/chat.ts";
import { ollama } from "./_vendors/ollama.ts";

let server: ModelServer;
const gateway = (): ModelClient =>
  chatModel({ model: "openai/gpt-5.5", target: "openrouter", key: async () => "or-key-0123456789", baseUrl: `${server.url}/v1` });

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function call(model: ModelClient, input: object, options?: LlmToolOptions, signal?: AbortSignal) {
  const registry = createRegistry();
  registry.register(llmTool(model, options));
  return registry.invoke(options?.name ?? "llm", input, signal && { signal });
}

describe("llm", () => {
  it("passes the test kit", async () => {
    server.events(chat.write({ text: ["hello"] }), chat.contentType);
    await assertTool(llmTool(gateway()));
  });

  // row: J14
  it("answers with the text of a gateway's model, its usage, and the cost from the price table; the key comes from a secret", async () => {
    server.events(chat.write({ thinking: ["hm"], text: ["Hello ", "you."] }), chat.contentType);
    const result = await call(
      gateway(),
      { prompt: "Say hello.", instructions: "Be kind.", max_tokens: 20 },
      { instructions: "You are terse." },
    );
    expect(result).toMatchObject({
      ok: true,
      data: { text: "Hello you.", model: "openai/gpt-5.5", usage: { input_tokens: 1_000, output_tokens: 50, cached_tokens: 400 } },
    });
    expect((result as { data: { cost: number } }).data.cost).toBeCloseTo((600 * 5 + 400 * 0.5 + 50 * 30) / 1e6, 12);
    expect(chat.read(server.lastBody())).toEqual({
      instructions: "You are terse.\n\nBe kind.",
      turns: [{ role: "user", text: "Say hello." }],
      tools: [],
      maxTokens: 20,
    });
    expect(server.seen.at(-1)!.headers.authorization).toBe("Bearer or-key-0123456789");
  });

  // row: J14
  it("answers with the text of a local model, without a cost", async () => {
    server.events(ollama.write({ text: ["Hi."], stop: "length" }), ollama.contentType);
    const result = await call(ollamaModel({ model: "qwen3:8b", baseUrl: server.url }), { prompt: "Hi" }, { name: "ask_qwen" });
    expect(result).toMatchObject({ ok: true, data: { text: "Hi.", cut_off: true } });
    expect((result as { data: object }).data).not.toHaveProperty("cost");
  });

  it("tells apart what may pass, what a person has to set right, and what was given up", async () => {
    server.refuse(429, chat.errorBody("slow down"), { "retry-after": "3" });
    expect(await call(gateway(), { prompt: "x" })).toMatchObject({ ok: false, code: "RATE_LIMITED", retryable: true, retryAfterMs: 3_000 });
    server.refuse(401, chat.errorBody("no"));
    expect(await call(gateway(), { prompt: "x" })).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", retryable: false });
    server.events(chat.write({ stop: "refused" }), chat.contentType);
    expect(await call(gateway(), { prompt: "x" })).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      retryable: false,
      error: expect.stringContaining("refused to answer"),
    });
    const controller = new AbortController();
    server.answer(() => controller.abort());
    expect(await call(gateway(), { prompt: "x" }, {}, controller.signal)).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("lets nobody ask for more tokens than it was made for", async () => {
    expect(await call(gateway(), { prompt: "x", max_tokens: 101 }, { maxOutputTokens: 100 })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
    });
  });
});
