import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegistry, defineTool, type ToolResult } from "../../src/index.ts";

async function callWith(handler: () => unknown): Promise<ToolResult> {
  const registry = createRegistry();
  registry.register(defineTool({ name: "get", description: "Gets it.", inputSchema: { type: "object" }, handler }));
  return registry.invoke("get", {});
}

class Point {
  x = 1;
  y = 2;
  get length(): number {
    return Math.hypot(this.x, this.y);
  }
}

class Sealed {
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

const moment = new Date("2026-01-02T03:04:05.000Z");

describe("a value that JSON has an exact form for is converted:", () => {
  it.each<[what: string, returned: unknown, data: unknown]>([
    [
      "a Map with text keys to an object",
      { m: new Map([["a", new Map([["__proto__", 1]])]]) },
      { m: { a: JSON.parse('{"__proto__":1}') } },
    ],
    ["a Set to a list", { s: new Set([1, "b"]) }, { s: [1, "b"] }],
    ["a Date to its ISO text", { at: moment }, { at: "2026-01-02T03:04:05.000Z" }],
    ["a URL to its text", { url: new URL("https://example.com/a?b=c") }, { url: "https://example.com/a?b=c" }],
    ["search parameters to their text", { q: new URLSearchParams({ a: "1", b: "x y" }) }, { q: "a=1&b=x+y" }],
    ["a bigint that a number can hold", { n: 10n, m: -9007199254740991n }, { n: 10, m: -9007199254740991 }],
    ["boxed values", [new String("a"), new Number(1), new Boolean(false), Object(2n)], ["a", 1, false, 2]],
    ["an object of a class to its own properties", { p: new Point() }, { p: { x: 1, y: 2 } }],
    ["what has a toJSON to what that returns", { a: { toJSON: () => new Map([["b", 1]]) } }, { a: { b: 1 } }],
    ["a vector of numbers to a list", { v: new Float32Array([0.5, -1]) }, { v: [0.5, -1] }],
    ["big integers of a vector", new BigInt64Array([5n]), [5]],
    ["undefined and gaps in a list to null", [undefined, , 1], [null, null, 1]], // oxlint-disable-line no-sparse-arrays
    ["an undefined property to none", { a: undefined, b: new Set() }, { b: [] }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: moment }), { a: "2026-01-02T03:04:05.000Z" }],
    ["the same object in two places to two of them", ((twice) => [twice, twice])(new Set([1])), [[1], [1]]],
  ])("%s", async (_what, returned, data) => {
    const result = await callWith(() => returned);
    expect(result).toMatchObject({ ok: true, content: JSON.stringify(data) });
    expect(result.ok && result.data).toStrictEqual(data);
    expect(await callWith(async () => returned)).toMatchObject({ ok: true, data, content: JSON.stringify(data) });
  });

  it("a Date, a URL or a boxed text alone to a text", async () => {
    for (const [returned, content] of [
      [moment, "2026-01-02T03:04:05.000Z"],
      [new URL("https://example.com/"), "https://example.com/"],
      [new String("a"), "a"],
    ])
      expect(await callWith(() => returned)).toEqual({ ok: true, content, meta: expect.anything() });
  });

  it("inside of a full result, of blocks and of MCP's own shape as well", async () => {
    const map = new Map([["a", 1]]);
    expect(await callWith(() => ({ ok: true, content: "x", data: map }))).toMatchObject({ ok: true, content: "x", data: { a: 1 } });
    expect(await callWith(() => [{ type: "json", data: map }])).toMatchObject({
      content: '{"a":1}',
      blocks: [{ type: "json", data: { a: 1 } }],
    });
    expect(await callWith(() => ({ content: [], structuredContent: map }))).toMatchObject({ content: '{"a":1}', data: { a: 1 } });
  });
});

describe("a value that JSON would lose is refused, with its place:", () => {
  const circle: { list: unknown[] } = { list: [] };
  circle.list.push({ top: circle });
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];

  it.each<[what: string, returned: unknown, error: string]>([
    ["NaN", { items: [1, 2, 3, { price: Number.NaN }] }, "result.items[3].price is NaN; return null or a number."],
    ["Infinity", { "unit price": -Infinity }, 'result["unit price"] is -Infinity; return null or a number.'],
    ["NaN alone", Number.NaN, "result is NaN;"],
    ["a big integer", [2n ** 60n], "result[0] is a bigint that no JSON number can hold exactly; return it as a string."],
    ["a function", { format: () => "x" }, "result.format is a function;"],
    ["a function alone", () => 1, "result is a function;"],
    ["a symbol", [Symbol("s")], "result[0] is a symbol;"],
    ["a promise inside", { user: Promise.resolve(1) }, "result.user is a promise; await it."],
    ["a Map with other keys", { m: new Map([[1, "a"]]) }, "result.m is a Map with a key that is not a string but a number;"],
    ["a Response", new Response("x"), "result is a Response; return what its json() or text() resolves to."],
    ["a stream inside", { body: new Response("x").body }, "result.body is a stream;"],
    ["a stream of one's own inside", { s: { async *[Symbol.asyncIterator]() {} } }, "result.s is a stream;"],
    ["a stream of Node inside", [Readable.from(["x"])], "result[0] is a stream;"],
    ["a generator", (function* () {})(), "result is an iterator; return a list: [...it]."],
    ["an iterator inside", { keys: new Map().keys() }, "result.keys is an iterator;"],
    [
      "an Error inside",
      { reason: Object.assign(new Error("x"), { code: "E" }) },
      "result.reason is an Error; throw it, or return its message.",
    ],
    ["bytes", { file: new Uint8Array(3) }, "result.file is 3 bytes (Uint8Array); return base64 text,"],
    ["a Buffer", Buffer.from("abc"), "result is 3 bytes (Uint8Array);"],
    ["an ArrayBuffer", new ArrayBuffer(8), "result is 8 bytes (ArrayBuffer);"],
    ["a Blob", new Blob(["x"]), "result is binary data (Blob);"],
    ["headers", { headers: new Headers({ a: "b" }) }, "result.headers is a Headers; return Object.fromEntries(it)."],
    ["a regular expression", { re: /x/ }, "result.re is a RegExp without properties of its own, which JSON would show as {};"],
    ["a WeakMap", new WeakMap(), "result is a WeakMap without properties of its own"],
    ["a class with private fields alone", [new Sealed()], "result[0] is a Sealed without properties of its own"],
    ["an invalid Date", { at: new Date("never") }, "result.at is an invalid Date; return null or a valid date."],
    ["NaN in a box", { n: new Number(Number.NaN) }, "result.n is NaN;"],
    ["a circle", circle, "result.list[0].top refers back to a value that contains it; return data without cycles."],
    ["too deep a value", { deep, at: moment }, "nested too deeply"],
  ])("%s", async (_what, returned, error) => {
    for (const handler of [() => returned, async () => returned]) {
      const result = await callWith(handler);
      expect(result).toMatchObject({ ok: false, code: "RESULT_INVALID", status: 502, error: expect.stringContaining(error) });
      expect(!result.ok && result.error).toMatch(/^Tool "get" returned something that is not JSON: /);
    }
  });

  it("a value that throws when it is looked at", async () => {
    const hostile = new Proxy({}, { getPrototypeOf: () => fail(), get: () => undefined });
    expect(await callWith(() => [hostile])).toMatchObject({
      ok: false,
      code: "RESULT_INVALID",
      error: expect.stringContaining("never look"),
    });
  });
});

describe("plain data", () => {
  it("is returned as it is, and not copied", async () => {
    const data = { a: [1, { b: null }], c: undefined };
    const result = await callWith(() => data);
    expect(result.ok && result.data).toBe(data);
  });

  it("whatever is returned, a success is plain JSON that says the same as its text", async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        const result = await callWith(() => ({ value }));
        if (!result.ok) expect(result.code).toBe("RESULT_INVALID");
        else expect(JSON.parse(result.content)).toEqual(JSON.parse(JSON.stringify(result.data)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a returned Error", () => {
  it("is a failure with its message, and with its code if it is one of ours", async () => {
    expect(await callWith(() => new Error("disk full"))).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "disk full" });
    const { ToolInputError } = await import("../../src/errors.ts");
    expect(await callWith(async () => new ToolInputError("no such file"))).toMatchObject({ ok: false, code: "INPUT_INVALID", status: 400 });
  });
});

describe("MCP's own shape", () => {
  const text = { type: "text", text: "3 rows" };
  it.each<[what: string, returned: unknown, result: object]>([
    ["with data", { content: [text], structuredContent: { n: 3 } }, { ok: true, content: "3 rows", data: { n: 3 }, blocks: [text] }],
    ["with data alone", { content: [], structuredContent: { n: 3 } }, { ok: true, content: '{"n":3}', data: { n: 3 } }],
    ["that says it is no error", { content: [text], isError: false, _meta: { a: 1 } }, { ok: true, content: "3 rows" }],
    ["of an error", { content: [text], isError: true }, { ok: false, code: "TOOL_FAILED", error: "3 rows" }],
    ["of an error with data", { content: [], isError: true, structuredContent: { why: "x" } }, { ok: false, error: '{"why":"x"}' }],
    [
      "of an error without a reason",
      { content: [], isError: true },
      { ok: false, error: 'Tool "get" failed with TOOL_FAILED, and gave no reason.' },
    ],
    ["of an error without content", { isError: true }, { ok: false, error: 'Tool "get" failed with TOOL_FAILED, and gave no reason.' }],
    ["of an error as text", { content: "no", isError: true }, { ok: false, code: "TOOL_FAILED", error: "no" }],
    ["of an error with facts alone", { isError: true, why: "x" }, { ok: false, code: "TOOL_FAILED", error: '{"why":"x"}' }],
    ["of an error as Anthropic spells it", { content: [text], is_error: true }, { ok: false, code: "TOOL_FAILED", error: "3 rows" }],
    [
      "with a flag that is a number",
      { content: [text], isError: 1 },
      { ok: false, code: "RESULT_INVALID", error: 'Tool "get": result.isError must be true or false, not 1.' },
    ],
    ["with a flag that is a text", { isError: "yes" }, { ok: false, code: "RESULT_INVALID" }],
    ["as data with a flag that is not set", { rows: 3, isError: false }, { ok: true, data: { rows: 3, isError: false } }],
    ["with a text document", { content: [{ type: "resource", resource: { uri: "a:b", text: "hi" } }] }, { ok: true, content: "hi" }],
    [
      "with a picture as a document",
      { content: [{ type: "resource", resource: { uri: "a:b", blob: "aGk=", mimeType: "audio/wav" } }] },
      { ok: true, blocks: [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }] },
    ],
    [
      "with something that is no block",
      { content: [text, { type: "image", data: "aGk=" }], isError: true },
      { ok: false, code: "RESULT_INVALID", error: expect.stringContaining("result.content[1] is no content block") },
    ],
    ["is not seen in data with a list of that name", { content: [] }, { ok: true, content: '{"content":[]}', data: { content: [] } }],
  ])("%s", async (_what, returned, result) => {
    expect(await callWith(() => returned)).toMatchObject(result);
  });
});

function fail(): never {
  throw new Error("never look");
}
