import { describe, expect, it } from "vitest";
import { loadLangChain } from "../../../../src/providers/wire/frameworks/_load-langchain.ts";
import type { CallTool } from "../../../../src/providers/wire/frameworks/framework.ts";
import { toLangChain } from "../../../../src/providers/wire/frameworks/langchain.ts";
import type { ToolResult } from "../../../../src/tool/result.ts";
import { toolNamed } from "../../tools.ts";

const tool = toolNamed("files.read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] });
const meta = { callId: "c", tool: "files.read", durationMs: 1 };
const failed: ToolResult = { ok: false, error: "Not there.", code: "TOOL_FAILED", status: 500, retryable: true, meta };

class ToolMessage {
  readonly fields: unknown;
  constructor(fields: unknown) {
    this.fields = fields;
  }
}

/** LangChain as far as its own rules matter here: what it passes to a tool, and what it makes of the answer. */
const langchain = {
  ToolMessage,
  tool: (run: (input: unknown, config: object) => Promise<[unknown, unknown]>, fields: { name: string; schema: object }) => ({
    async invoke(input: { type?: string; args?: unknown; id?: string }, config?: object) {
      const isCall = input.type === "tool_call";
      const [content, artifact] = await run(isCall ? input.args : input, { ...config, ...(isCall && { toolCall: input }) });
      if (content instanceof ToolMessage || !isCall) return content;
      return new ToolMessage({ name: fields.name, tool_call_id: input.id, status: "success", content, artifact });
    },
    batch: async (inputs: readonly unknown[]) => ["batch", inputs],
    stream: async (input: unknown) => ["stream", input],
    async *transform() {
      yield "transformed";
    },
  }),
};

function make(result: ToolResult, seen: unknown[] = []) {
  const call: CallTool = (...parts) => {
    seen.push(parts);
    return Promise.resolve(result);
  };
  return toLangChain([tool], { call, langchain })[0]!;
}

const callOf = (name: string) => ({ type: "tool_call", id: "7", name, args: { path: "b" } });

describe("toLangChain", () => {
  it("describes a tool that models bind and agents run", () => {
    expect(make(failed)).toMatchObject({
      name: expect.stringMatching(/^files_read_/),
      description: tool.description,
      schema: tool.inputSchema,
      lc_runnable: true,
      returnDirect: false,
    });
    expect(make(failed).getName()).toBe(make(failed).name);
  });

  it("answers a tool call with a message that has the text and the data, and arguments with the text", async () => {
    const seen: unknown[] = [];
    const { signal } = new AbortController();
    const made = make({ ok: true, content: "text", data: { a: 1 }, meta }, seen);
    expect(await made.invoke({ path: "a" })).toBe("text");
    expect(await made.invoke(callOf(made.name), { signal })).toEqual(
      new ToolMessage({ name: made.name, tool_call_id: "7", status: "success", content: "text", artifact: { a: 1 } }),
    );
    expect(seen).toEqual([
      ["files.read", { path: "a" }, {}],
      ["files.read", { path: "b" }, { callId: "7", signal }],
    ]);
    expect(await made.call({ path: "a" })).toBe("text");
  });

  it("shows images as content blocks", async () => {
    const image = { type: "image", data: "iVBO", mimeType: "image/png" } as const;
    const made = make({ ok: true, content: "", blocks: [{ type: "text", text: "Look." }, image], meta });
    expect(await made.invoke({ path: "a" })).toEqual([
      { type: "text", text: "Look." },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } },
    ]);
  });

  it("answers a failed tool call with a message that says so, and throws for failed arguments", async () => {
    const made = make(failed);
    expect(await made.invoke(callOf(made.name))).toEqual(
      new ToolMessage({ name: made.name, tool_call_id: "7", status: "error", content: "Error: Not there." }),
    );
    await expect(made.invoke({ path: "a" })).rejects.toMatchObject({ code: "TOOL_FAILED", message: "Not there.", retryable: true });
  });

  it("throws when the run was cancelled", async () => {
    const made = make(failed);
    await expect(made.invoke(callOf(made.name), { signal: AbortSignal.abort() })).rejects.toThrow("Not there.");
  });

  it("leaves batches and streams to LangChain", async () => {
    const made = make(failed);
    expect(await made.batch([1, 2])).toEqual(["batch", [1, 2]]);
    expect(await made.stream(1)).toEqual(["stream", 1]);
    expect(await made.transform((async function* () {})(), {}).next()).toEqual({ done: false, value: "transformed" });
  });

  it("says what to do where LangChain cannot be imported", async () => {
    const [made] = toLangChain([tool], { call: () => Promise.resolve(failed) });
    await expect(made!.invoke({ path: "a" })).rejects.toThrow(
      /^@langchain\/core, which runs the tools of toLangChain, could not be imported: .* Install it, or pass what you import: toLangChain\(tools, \{ call, langchain: \{ tool, ToolMessage \} \}\)\.$/,
    );
  });

  it("imports LangChain by its two names", async () => {
    expect(await loadLangChain((name) => Promise.resolve({ ...langchain, name }))).toEqual(langchain);
  });
});
