import { describe, expect, it } from "vitest";
import { createRegistry, defineTool, type Progress, type ToolResult } from "../../src/index.ts";
import { executeTool } from "../../src/tool/array.ts";
import { withWrapper } from "../../src/call/wrap-tool.ts";
import type { InvokeOptions } from "../../src/call/host.ts";

interface Streamed {
  readonly result: ToolResult;
  readonly told: readonly Progress[];
}

function toolOf(handler: () => unknown) {
  return defineTool({ name: "stream", description: "Streams.", inputSchema: { type: "object" }, handler });
}

async function stream(handler: () => unknown, options: InvokeOptions = {}): Promise<Streamed> {
  const told: Progress[] = [];
  const registry = createRegistry();
  registry.register(toolOf(handler));
  const result = await registry.invoke("stream", {}, { ...options, onProgress: (update) => told.push(update) });
  return { result, told };
}

describe("a handler that returns an async iterable", () => {
  it("of texts tells each as progress, and ends with the whole text", async () => {
    async function* words() {
      yield "Hello";
      yield ", ";
      yield "world";
    }
    for (const handler of [words, async () => words()]) {
      const { result, told } = await stream(handler);
      expect(result).toEqual({ ok: true, content: "Hello, world", meta: expect.anything() });
      expect(told).toEqual([{ message: "Hello" }, { message: ", " }, { message: "world" }]);
    }
  });

  it("of other values ends with the last of them", async () => {
    const { result, told } = await stream(async function* () {
      yield "starting";
      yield { progress: 1, total: 2, message: "half" };
      yield { rows: new Set([1]) };
    });
    expect(result).toMatchObject({ ok: true, content: '{"rows":[1]}', data: { rows: [1] } });
    expect(told).toEqual([{ message: "starting" }, { progress: 1, total: 2, message: "half" }, { message: '{"rows":[1]}' }]);
  });

  it("ends with what a generator returns, in any form that a handler may return", async () => {
    const returning = (value: unknown) =>
      async function* () {
        yield "working";
        return value;
      };
    expect((await stream(returning({ n: 1 }))).result).toMatchObject({ ok: true, data: { n: 1 } });
    expect((await stream(returning({ content: [{ type: "text", text: "no" }], isError: true }))).result).toMatchObject({
      ok: false,
      error: "no",
    });
    expect((await stream(returning(new Error("broken")))).result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "broken" });
  });

  it("is empty if the stream is", async () => {
    expect((await stream(async function* () {})).result).toMatchObject({ ok: true, content: "" });
  });

  it("fails with what the stream throws", async () => {
    const { result, told } = await stream(async function* () {
      yield "one";
      throw new Error("the line broke");
    });
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "the line broke" });
    expect(told).toEqual([{ message: "one" }]);
  });

  it("refuses a stream of bytes at its first chunk, and closes it", async () => {
    let isClosed = false;
    const { result } = await stream(async function* () {
      try {
        for (;;) yield new Uint8Array(2);
      } finally {
        isClosed = true;
      }
    });
    expect(result).toMatchObject({ ok: false, code: "RESULT_INVALID", error: expect.stringContaining("chunk[0] is 2 bytes (Uint8Array)") });
    expect(isClosed).toBe(true);
  });

  it("refuses more text than memory should hold", async () => {
    const { result } = await stream(async function* () {
      for (;;) yield "x".repeat(1024 * 1024);
    });
    expect(result).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE", error: expect.stringContaining("16777216 characters") });
  });

  it.each<[how: string, code: string, options: () => { options: InvokeOptions; cancel(): void }]>([
    [
      "is cancelled",
      "ABORTED",
      () => {
        const controller = new AbortController();
        return { options: { signal: controller.signal }, cancel: () => controller.abort() };
      },
    ],
    ["takes too long", "TIMEOUT", () => ({ options: { timeoutMs: 20 }, cancel: () => {} })],
  ])("is ended by the iterator's return when the call %s", async (_how, code, prepare) => {
    let returned = 0;
    let cancel = (): void => {};
    const endless: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (cancel(), new Promise(() => {})),
        return: async () => ({ done: true, value: void returned++ }),
      }),
    };
    for (const handler of [() => endless, async () => endless]) {
      returned = 0;
      const { options, ...prepared } = prepare();
      cancel = prepared.cancel;
      expect((await stream(handler, options)).result).toMatchObject({ ok: false, code });
      expect(returned).toBe(1);
    }
  });

  it("hides secrets in what it tells", async () => {
    const told: unknown[] = [];
    const registry = createRegistry({ redaction: { values: () => ["hunter2"] } });
    registry.register(
      toolOf(async function* () {
        yield "the word is hunter2";
      }),
    );
    const result = await registry.invoke("stream", {}, { onProgress: (update) => told.push(update) });
    expect(JSON.stringify([told, result])).not.toContain("hunter2");
  });

  it("works inside of a wrapper, and without a registry", async () => {
    const tool = toolOf(async function* () {
      yield "a";
      yield "b";
    });
    expect(await executeTool(tool, {})).toMatchObject({ ok: true, content: "ab" });
    expect(await executeTool(withWrapper(tool, { name: "none", beforeRun: () => undefined }), {})).toMatchObject({
      ok: true,
      content: "ab",
    });
  });

  it("holds its turn while it streams", async () => {
    let open = 0;
    let most = 0;
    const registry = createRegistry({ limits: { concurrency: 1 } });
    registry.register(
      toolOf(async function* () {
        most = Math.max(most, ++open);
        yield "a";
        await new Promise((resolve) => setImmediate(resolve));
        yield "b";
        open--;
      }),
    );
    const results = await Promise.all([1, 2, 3].map(() => registry.invoke("stream", {})));
    expect(results).toEqual([1, 2, 3].map(() => expect.objectContaining({ content: "ab" })));
    expect(most).toBe(1);
  });
});
