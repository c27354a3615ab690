import { describe, expect, it } from "vitest";
import { createUseTexts } from "../../../src/upstream/texts/use-texts.ts";

const context = { signal: new AbortController().signal, callId: "call-1" };

function usesOf(answer: object | Error) {
  const sent: unknown[] = [];
  const noted: unknown[] = [];
  const connection = {
    scrub: { error: (thrown: unknown) => thrown },
    async request(method: string, params: object, { timeoutMs }: { timeoutMs: number }) {
      sent.push({ method, params, timeoutMs });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const manager = { get: async () => connection, note: (_connection: unknown, error: unknown) => void noted.push(error) };
  const uses = createUseTexts({
    server: "shop",
    manager: manager as never,
    timeoutMs: 5_000,
    observe: async (_connection, request, send) => (sent.push(request), send()),
  });
  return { sent, noted, uses };
}

describe("a prompt of a server", () => {
  it("is asked for with its arguments, and its messages are told with their roles", async () => {
    const messages = [
      { role: "user", content: { type: "text", text: "Hello." } },
      { role: "assistant", content: { type: "text", text: "Hi." } },
      { role: "system", content: { type: "text", text: "Odd." } },
      "no message",
    ];
    const { sent, noted, uses } = usesOf({ messages });
    expect(await uses.getPrompt("greet", { who: "Ada" }, context)).toMatchObject({
      ok: true,
      content: "Hello.\nHi.\nOdd.",
      blocks: [{ text: "Hello." }, { text: "Hi." }, { text: "Odd." }],
      data: { roles: ["user", "assistant", "user"] },
    });
    expect(sent).toEqual([
      { method: "prompts/get", callId: "call-1" },
      { method: "prompts/get", params: { name: "greet", arguments: { who: "Ada" } }, timeoutMs: 5_000 },
    ]);
    expect(noted).toEqual([undefined]);
  });

  it.each<[answer: object, reason: string]>([
    [{}, 'MCP server "shop" answered without messages.'],
    [{ resultType: "input_required" }, 'MCP server "shop" asked for input before it answered, which is passed on for tools only.'],
  ])("fails where the server answers something else: %j", async (answer, reason) => {
    await expect(usesOf(answer).uses.getPrompt("greet", {}, context)).rejects.toMatchObject({ code: "TOOL_FAILED", message: reason });
  });
});

describe("a resource of a server", () => {
  it("is its text, and its bytes as data", async () => {
    const contents = [
      { mimeType: "text/plain", text: "Thirty days." },
      { mimeType: "image/png", blob: "aGk=" },
      { text: "More.", blob: "x" },
      5,
    ];
    const { sent, uses } = usesOf({ contents });
    expect(await uses.readResource("shop://terms", context)).toMatchObject({
      ok: true,
      content: "Thirty days.\nMore.",
      data: { parts: [{ mimeType: "text/plain" }, { mimeType: "image/png", blob: "aGk=" }, {}] },
    });
    expect(sent.at(-1)).toEqual({ method: "resources/read", params: { uri: "shop://terms" }, timeoutMs: 5_000 });
  });

  it("fails where the server answers something else, or not at all", async () => {
    await expect(usesOf({ contents: {} }).uses.readResource("a:1", context)).rejects.toThrow(
      'MCP server "shop" answered without contents.',
    );
    const { noted, uses } = usesOf(new Error("gone"));
    await expect(uses.readResource("a:1", context)).rejects.toMatchObject({ message: expect.stringContaining("gone") });
    expect(noted).toEqual([expect.objectContaining({ message: expect.stringContaining("gone") })]);
  });

  it("fails with the reason of the caller who gave up", async () => {
    const signal = AbortSignal.abort(new Error("nobody waits"));
    const { noted, uses } = usesOf(new Error("gone"));
    await expect(uses.readResource("a:1", { ...context, signal })).rejects.toThrow("nobody waits");
    expect(noted).toEqual([]);
  });
});
