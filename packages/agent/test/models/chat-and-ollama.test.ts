import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatModel, type ChatModelOptions } from "../../src/models/chat.ts";
import { ollamaModel } from "../../src/models/ollama.ts";
import type { ModelFetchRequest } from "../../src/models/shared/fetch.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { exported, request, user } from "./_conversation.ts";
import { collect, type ModelServer, type Streamed, startModelServer } from "./_server.ts";
import { chat } from "./_vendors/chat.ts";
import { ollama } from "./_vendors/ollama.ts";

let server: ModelServer;
const open = (options: Partial<ChatModelOptions> = {}): ModelClient =>
  chatModel({ model: "gpt-5.5", baseUrl: `${server.url}/v1`, ...options });
const ask = (model: ModelClient, rest: object = {}): Promise<Streamed> => collect(model.stream(request([user("go")], rest)));

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("chatModel", () => {
  const last = (usage: object): readonly string[] => [
    chat.event({ choices: [{ delta: { content: "hi" }, finish_reason: "stop" }] }),
    chat.event({ choices: [], usage }),
  ];

  it("asks for the usage of a stream, and takes the cost that a gateway tells before its own estimate", async () => {
    server.events(last({ prompt_tokens: 10, completion_tokens: 5, cost: 0.25 }), chat.contentType);
    const { end } = await ask(open({ model: "openai/gpt-5.5", target: "openrouter" }));
    expect(server.lastBody()).toMatchObject({ stream_options: { include_usage: true } });
    expect(end.usage).toEqual({ inputTokens: 10, outputTokens: 5, costUsd: 0.25 });
  });

  it("reads cached tokens where DeepSeek tells them, and usage where Groq does", async () => {
    server.events(last({ prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 7 }), chat.contentType);
    expect((await ask(open({ model: "unknown" }))).end.usage).toEqual({ inputTokens: 10, outputTokens: 5, cachedTokens: 7 });
    server.events(
      [chat.event({ choices: [{ delta: {}, finish_reason: "stop" }], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } })],
      chat.contentType,
    );
    expect((await ask(open({ model: "unknown" }))).end.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
  });

  it("reads content that comes in parts, as Mistral writes thoughts", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Hello." },
    ];
    server.events([chat.event({ choices: [{ delta: { content }, finish_reason: "stop" }] })], chat.contentType);
    expect(await ask(open({ target: "mistral" }))).toMatchObject({ text: "Hello.", thinking: "Hm." });
  });

  it("gives each call an id of its own where a server repeats one", async () => {
    const tool_calls = [0, 1].map((index) => ({ index, id: "same", function: { name: "list", arguments: "{}" } }));
    server.events([chat.event({ choices: [{ delta: { tool_calls }, finish_reason: "tool_calls" }] })], chat.contentType);
    expect((await ask(open())).end.message.calls.map(({ id }) => id)).toEqual(["same", "same_1"]);
  });

  it("names the limit of tokens as the host wants it", async () => {
    const sent: [string, ModelFetchRequest][] = [];
    const fetch = (url: string, given: ModelFetchRequest) => {
      sent.push([url, given]);
      return Promise.reject(new Error("offline"));
    };
    await ask(chatModel({ model: "gpt-5.5", fetch }), { maxOutputTokens: 9 });
    await ask(open({ fetch }), { maxOutputTokens: 9 });
    expect(sent[0]![0]).toBe("https://api.openai.com/v1/chat/completions");
    expect(JSON.parse(sent[0]![1].body)).toMatchObject({ max_completion_tokens: 9 });
    expect(JSON.parse(sent[1]![1].body)).toMatchObject({ max_tokens: 9 });
  });
});

describe("ollamaModel", () => {
  it("loads the model with the window that it was told, and costs nothing", async () => {
    server.events(ollama.write({ text: ["hi"] }), ollama.contentType);
    const model = ollamaModel({
      model: "qwen3:8b",
      baseUrl: server.url,
      contextTokens: 32_768,
      body: { keep_alive: "5m", options: { seed: 1 } },
    });
    const { end } = await ask(model, { maxOutputTokens: 100 });
    expect(server.lastBody()).toMatchObject({ keep_alive: "5m", options: { num_ctx: 32_768, seed: 1, num_predict: 100 }, stream: true });
    expect(model.contextTokens).toBe(32_768);
    expect(end.usage.costUsd).toBeUndefined();
  });

  it("offers no tools where none may be called, since no field says so", async () => {
    server.events(ollama.write({ text: ["hi"] }), ollama.contentType);
    const model = ollamaModel({ model: "qwen3:8b", baseUrl: server.url });
    await ask(model, { tools: exported("ollama"), choice: "none" });
    expect(server.lastBody()).not.toHaveProperty("tools");
  });

  it("reads a last line that nothing ends", async () => {
    server.events(
      [
        ollama
          .write({ text: ["hi"] })
          .join("")
          .trimEnd(),
      ],
      ollama.contentType,
    );
    expect((await ask(ollamaModel({ model: "qwen3:8b", baseUrl: server.url }))).end).toMatchObject({
      stop: "finished",
      message: { content: "hi" },
    });
  });
});
