import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as kernel from "@toolrack/core/array";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ToolAuthorizationError, ToolInputError } from "../../src/errors.ts";
import { executeTool, exportForApi, findTool } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { toStructured } from "../../src/tool/result.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const tool = (handler: ToolDefinition["handler"], more: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({ name: "tool", description: "Does it.", inputSchema: { type: "object" }, handler, ...more });

describe("the entry for plain arrays", () => {
  // row: A3
  it("offers three functions that need no registry", async () => {
    const tools = [tool(() => "a", { name: "a" }), tool(() => "b", { name: "b" })];
    expect(Object.keys(kernel).toSorted()).toEqual(["executeTool", "exportForApi", "findTool"]);
    expect(kernel.exportForApi(tools).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await kernel.executeTool(kernel.findTool(tools, "b"), {})).toMatchObject({ ok: true, content: "b" });
  });

  // row: A3
  it("brings no code of registries, calls or policies with it", () => {
    const source = fileURLToPath(new URL("../../src", import.meta.url));
    const reached = [...importsFrom(resolve(source, "tool/array.ts"))].map((file) => relative(source, file));
    expect(reached).toEqual(expect.arrayContaining(["tool/array.ts", "tool/result.ts", "tool/input.ts"]));
    expect(reached.filter((file) => !/^(errors\.ts|(util|tool)\/)/.test(file))).toEqual([]);
  });
});

describe("findTool", () => {
  const first = tool(() => 1, { name: "Read" });
  const second = tool(() => 2, { name: "Read" });

  // row: A4
  it("finds the first tool of exactly this name", () => {
    expect(findTool([first, second], "Read")).toBe(first);
    expect(findTool([first], "read")).toBeUndefined();
    expect(findTool([], "x")).toBeUndefined();
    expect(findTool([first], "constructor")).toBeUndefined();
  });
});

describe("exportForApi", () => {
  it("gives name, description and schema, and nothing else", () => {
    const rich = tool(() => 1, { title: "T", version: "1.0.0", metadata: { tags: ["x"] }, outputSchema: {} });
    expect(exportForApi([rich])).toEqual([{ name: "tool", description: "Does it.", input_schema: { type: "object" } }]);
    expect(exportForApi([])).toEqual([]);
  });
});

describe("executeTool", () => {
  const lookup = tool((input: unknown) => ({ got: input }), {
    name: "product_lookup",
    version: "2.0.0",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", default: 5 } },
      required: ["query"],
      additionalProperties: false,
    },
  });

  // row: D3
  it("fills in defaults, runs the handler and says which tool ran, and for how long", async () => {
    const result = await executeTool(lookup, { query: "shoes" });
    expect(result).toMatchObject({
      ok: true,
      data: { got: { query: "shoes", limit: 5 } },
      meta: { tool: "product_lookup", version: "2.0.0" },
    });
    expect(result.meta.durationMs).toBeGreaterThan(0);
  });

  it.each([{}, { query: 5 }, { query: "x", limit: "many" }, { query: "x", extra: 1 }, null, "query", undefined])(
    // row: D1
    "answers %j with what is wrong, and does not call the handler",
    async (input) => {
      let called = false;
      const guarded = tool(() => (called = true), { inputSchema: lookup.inputSchema });
      expect(await executeTool(guarded, input)).toMatchObject({ ok: false, code: "INPUT_INVALID", status: 400, issues: [{}] });
      expect(called).toBe(false);
    },
  );

  it("answers for a tool that was not found", async () => {
    expect(await executeTool(findTool([lookup], "lookup"), {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND", status: 404 });
  });

  it("takes a tool that nobody defined, too", async () => {
    const plain = { name: "plain", description: "", inputSchema: { type: "object", required: ["a"] }, handler: () => "ran" };
    expect(await executeTool(plain, { a: 1 })).toMatchObject({ ok: true, content: "ran" });
    expect(await executeTool(plain, {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await executeTool({ ...plain, inputSchema: { type: "objekt" } }, {})).toMatchObject({ ok: false, code: "SCHEMA_INVALID" });
    expect(await executeTool({ ...plain, handler: undefined as never }, { a: 1 })).toMatchObject({ ok: false, code: "TOOL_FAILED" });
  });

  it("answers 400 and 403 for the errors that say so", async () => {
    const throwing = (error: Error): ToolDefinition => tool(() => Promise.reject(error));
    expect(await executeTool(throwing(new ToolInputError("no such file")), {})).toMatchObject({ status: 400, error: "no such file" });
    expect(await executeTool(throwing(new ToolAuthorizationError("not yours")), {})).toMatchObject({ status: 403, error: "not yours" });
  });

  it("never rejects, whatever is thrown or returned, now or later", async () => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true });
    const odd = [Symbol("s"), () => 1, hostile("get"), hostile("has"), { toString: never, toJSON: never }, new Error("no"), new Error("")];
    const how = fc.constantFrom("throw", "reject", "return", "resolve");
    await fc.assert(
      fc.asyncProperty(anything, fc.nat({ max: 2 * odd.length }), how, async (plain, index, way) => {
        const value: unknown = index < odd.length ? odd[index] : plain;
        const run = tool(() => {
          if (way === "throw") throw value;
          return way === "reject" ? Promise.reject(value) : way === "resolve" ? Promise.resolve(value) : value;
        });
        const result = await executeTool(run, {});
        expect(typeof (result.ok ? result.content : result.error)).toBe("string");
        if (way === "throw" || way === "reject") expect(result.ok).toBe(false);
        const structured = toStructured(result);
        expect(structured.success).toBe(result.ok);
        expect(structured.execution_time_ms).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("answers TIMEOUT for a handler that never settles, and aborts its signal", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let signal: AbortSignal | undefined;
    const hangs = (_input: unknown, context: CallContext): Promise<string> => {
      ({ signal } = context);
      return new Promise(() => {});
    };
    const limited = executeTool(tool(hangs, { name: "limited", metadata: { limits: { timeoutMs: 40 } } }), {});
    await vi.advanceTimersByTimeAsync(40);
    const error = 'Tool "limited" did not finish within 40 ms. Ask for less, or raise limits.timeoutMs.';
    expect(await limited).toMatchObject({ ok: false, code: "TIMEOUT", retryable: true, error });
    expect(signal!.reason).toMatchObject({ name: "TimeoutError" });

    const usual = executeTool(tool(hangs, { name: "usual" }), {});
    await vi.advanceTimersByTimeAsync(299_999);
    expect(signal!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await usual).toMatchObject({ ok: false, code: "TIMEOUT" });
  });

  it("sets no timer that outlives the call, and none at all where the limit is lifted", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let finish: ((text: string) => void) | undefined;
    const slow = (): Promise<string> => new Promise((resolve) => void (finish = resolve));
    const unlimited = executeTool(tool(slow, { name: "unlimited", metadata: { limits: { timeoutMs: false } } }), {});
    await vi.advanceTimersByTimeAsync(400_000);
    finish!("done");
    expect(await unlimited).toMatchObject({ ok: true, content: "done" });
    await executeTool(
      tool(() => "at once"),
      {},
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives the handler a context in which there is nobody to ask and nothing configured", async () => {
    let context: CallContext | undefined;
    await executeTool(
      tool((_input: unknown, given: CallContext) => void (context = given)),
      {},
    );
    const { signal, caller, config, services, callId } = context!;
    expect({ aborted: signal.aborted, caller, config, services }).toEqual({
      aborted: false,
      caller: {},
      config: undefined,
      services: undefined,
    });
    expect(callId).toMatch(/^call-\d+$/);
    await expect(context!.secret("KEY")).rejects.toMatchObject({ code: "SECRET_MISSING" });
    await expect(context!.ask({ message: "May I?" })).rejects.toMatchObject({ code: "ANSWER_UNAVAILABLE" });
    expect(await context!.call("other", {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(() => {
      context!.progress({ message: "half" });
      context!.log.info("noted");
    }).not.toThrow();
  });
});

/** All source files that a file reaches by its imports and re-exports of values. */
function importsFrom(file: string, reached: Set<string> = new Set()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, specifier] of text.matchAll(/(?:^(?:import|export)\s(?!type\s)[^;]*?from\s*|import\()"(\.[^"]+)"/gm)) {
    const next = resolve(dirname(file), specifier!);
    expect(existsSync(next), next).toBe(true);
    importsFrom(next, reached);
  }
  return reached;
}

function never(): never {
  throw new Error("never look");
}

function hostile(trap: "get" | "has"): object {
  return new Proxy({}, { [trap]: never });
}
