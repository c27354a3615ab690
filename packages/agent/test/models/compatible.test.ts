import { describe, expect, it } from "vitest";
import { chatModel } from "../../src/models/chat.ts";
import { exported, request, succeeded, user } from "./_conversation.ts";
import { collect } from "./_server.ts";

const { TOOLRACK_OPENAI_BASE_URL: baseUrl, TOOLRACK_OPENAI_KEY: key, TOOLRACK_OPENAI_MODEL: model = "gpt-5.4-nano" } = process.env;

describe.skipIf(baseUrl === undefined)("a real endpoint (skipped: TOOLRACK_OPENAI_BASE_URL is not set)", () => {
  const open = () => chatModel({ model, ...(baseUrl && { baseUrl }), ...(key && { key }) });
  const tools = exported("openai-chat");

  it("streams a text and tells its usage", async () => {
    const { text, end } = await collect(open().stream(request([user("Say the word apple.")])));
    expect(end.failure).toBeUndefined();
    expect(end.stop).toBe("finished");
    expect(text).toBe(end.message.content);
    expect(end.usage.outputTokens).toBeGreaterThan(0);
  });

  it("calls a tool, takes its result and answers", async () => {
    const asked = user("List the folder /tmp by the tool, then tell me the name of the only file in it.");
    const { end } = await collect(open().stream(request([asked], { tools, choice: { tool: "list" } })));
    expect(end.message.calls).toMatchObject([{ name: "list", input: { path: expect.any(String) } }]);
    const results = end.message.calls.map(() => succeeded("apple.txt"));
    const answer = await collect(open().stream(request([asked, end.message, { role: "tool", results }], { tools })));
    expect(answer.end).toMatchObject({ stop: "finished", message: { content: expect.stringContaining("apple.txt") } });
  });
});
