import { describe, expect, it, beforeAll, afterAll } from "vitest";
import { chatModel } from "../../src/models/chat.ts";
import { ollamaModel } from "../../src/models/ollama.ts";
import { promptModel, type PromptModelOptions } from "../../src/models/prompt.ts";
import type { Model } from "../../src/model.ts";
import { called, exported, failed, image, pixel, request, succeeded, user } from "./_conversation.ts";
import { collect, type ModelServer, type Streamed, startModelServer } from "./_server.ts";
import { chat } from "./_vendors/chat.ts";
import { ollama } from "./_vendors/ollama.ts";

let server: ModelServer;
const tools = exported("generic");
const open = (options: PromptModelOptions = {}, model = "qwen2.5:7b"): Model =>
  promptModel(chatModel({ model, baseUrl: `${server.url}/v1` }), options);
const ask = (model: Model, rest: object = {}): Promise<Streamed> => collect(model.stream(request([user("go")], { tools, ...rest })));
const call = '<tool_call>\n{"name": "files.read", "arguments": {"path": "ä.txt"}}\n</tool_call>';

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("promptModel", () => {
  it("writes the tools into the prompt in the dialect of the model, and finds its calls in the text", async () => {
    server.events(chat.write({ thinking: ["hm"], text: ["I will read it.\n", call.slice(0, 20), call.slice(20)] }), chat.contentType);
    const model = open();
    expect(model).toMatchObject({ name: "qwen2.5:7b", target: "generic" });
    const { end, events } = await ask(model);
    const heard = chat.read(server.lastBody());
    expect(heard.tools).toEqual([]);
    expect(heard.instructions).toMatch(/^Be brief\.\n\n[^]*<tools>[^]*"files\.read"[^]*<tool_call>/);
    expect(end).toMatchObject({
      stop: "calls",
      message: { content: "I will read it.", calls: [{ id: "call_0", name: "files.read", input: { path: "ä.txt" } }] },
    });
    expect(events).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "I will read it." },
    ]);
  });

  it("streams text as it comes where no tools are offered", async () => {
    server.events(chat.write({ text: ["a", "b"] }), chat.contentType);
    const { events, end } = await ask(open(), { tools: undefined });
    expect(events.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(end).toMatchObject({ stop: "finished", message: { content: "ab", calls: [] } });
    expect((await ask(open(), { choice: "none" })).events).toHaveLength(2);
    expect(chat.read(server.lastBody()).instructions).toBe("Be brief.");
  });

  it("writes calls and results of a conversation as text, and counts its calls on", async () => {
    server.events(chat.write({ text: [call] }), chat.contentType);
    const messages = [
      user("go"),
      called(["a", "files.read", { path: "a" }], ["b", "list", { path: "b" }], ["c", "list", {}]),
      { role: "tool", results: [succeeded("seen", { blocks: [image] }), failed("no folder")] } as const,
    ];
    const { end } = await collect(open().stream(request(messages, { tools })));
    const { turns } = chat.read(server.lastBody());
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(turns[1]!.text).toContain('<tool_call>\n{"name": "files.read", "arguments": {"path":"a"}}\n</tool_call>');
    expect(turns[2]!.text).toMatch(/<tool_response>\nseen[^]*no folder[^]*gave no result/);
    expect(turns[2]!.images).toEqual([pixel]);
    expect(end.message.calls[0]!.id).toBe("call_3");
  });

  it("marks a call that is cut off, and runs none of a reply that failed", async () => {
    server.events(chat.write({ text: [call.slice(0, 50)], stop: "length" }), chat.contentType);
    expect((await ask(open())).end).toMatchObject({
      stop: "length",
      message: { calls: [{ name: "files.read", error: { code: "INPUT_INVALID" } }] },
    });
    server.events(chat.write({ text: [call] }).slice(0, 2), chat.contentType);
    expect((await ask(open())).end).toMatchObject({ stop: "failed", message: { calls: [] } });
  });

  it("keeps calls that a server found by itself", async () => {
    server.events(chat.write({ text: ["Here."], calls: [{ name: "list", input: { path: "/" } }] }), chat.contentType);
    expect((await ask(open())).end).toMatchObject({
      stop: "calls",
      message: { content: "Here.", calls: [{ name: "list", input: { path: "/" } }] },
    });
  });

  it("finds no calls of tools that do not exist", async () => {
    server.events(chat.write({ text: ['{"name": "Ada", "arguments": {}}'] }), chat.contentType);
    expect((await ask(open())).end).toMatchObject({
      stop: "finished",
      message: { calls: [], content: '{"name": "Ada", "arguments": {}}' },
    });
  });

  it("holds the model to its tools by what the backend takes", async () => {
    server.events(chat.write({ text: ["ok"] }), chat.contentType);
    await ask(open({ backend: "llama.cpp" }));
    expect(server.lastBody()["grammar"]).toMatch(/^root ::=[^]*files\.read/);
    await ask(open({ backend: "vllm" }));
    const { structured_outputs } = server.lastBody() as { structured_outputs: { structural_tag: string } };
    expect(JSON.parse(structured_outputs.structural_tag)).toMatchObject({ type: "structural_tag" });
    await ask(open({ backend: "llama.cpp", constraint: "schema" }), { choice: { tool: "list" } });
    expect(JSON.stringify(server.lastBody()["json_schema"])).toContain('"const":"list"');
    expect(JSON.stringify(server.lastBody()["json_schema"])).not.toContain("files.read");
    await ask(open({ backend: "llama.cpp", constraint: "unconstrained" }));
    expect(server.lastBody()).not.toHaveProperty("grammar");
    server.events(ollama.write({ text: ["ok"] }), ollama.contentType);
    const local = promptModel(ollamaModel({ model: "llama3.1", baseUrl: server.url }), { backend: "ollama" });
    await ask(local, { choice: "required" });
    expect(server.lastBody()).toHaveProperty("format");
    await ask(local);
    expect(server.lastBody(), "a schema would leave no way to answer in words").not.toHaveProperty("format");
  });

  it("takes the dialect that it is told, and tells what a backend cannot do", async () => {
    server.events(chat.write({ text: ['[TOOL_CALLS][{"name": "list", "arguments": {"path": "/"}}]'] }), chat.contentType);
    const { end } = await ask(open({ family: "mistral" }));
    expect(chat.read(server.lastBody()).instructions).toContain("[AVAILABLE_TOOLS]");
    expect(end.message.calls).toMatchObject([{ name: "list", input: { path: "/" } }]);
    expect((await ask(open({ backend: "ollama", constraint: "grammar" }))).end).toMatchObject({
      stop: "failed",
      failure: { retryable: false, message: expect.stringContaining("does not take a grammar") },
    });
    expect(() => open({ backend: "vlm" as never })).toThrow(/"backend" must be one of llama\.cpp, vllm, ollama, not "vlm"/);
  });
});
