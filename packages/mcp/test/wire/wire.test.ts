import { defineTool } from "@toolrack/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCallResult } from "../../src/wire/call-result.ts";
import { readHeaderValue } from "../../src/wire/header-value.ts";
import { maxDepth, readMessage } from "../../src/wire/message.ts";
import { toMcpTool } from "../../src/wire/tool.ts";
import { readUriTemplate } from "../../src/wire/uri-template.ts";

describe("header values", () => {
  it("in base64 are read back whatever they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(readHeaderValue(`=?base64?${Buffer.from(text).toString("base64")}?=`)).toBe(text);
      }),
    );
  });

  it("that only look encoded are read as they stand, and broken encodings are none", () => {
    expect(readHeaderValue("=?base64?SGVsbG8=")).toBe("=?base64?SGVsbG8=");
    expect(readHeaderValue("  plain  ")).toBe("plain");
    for (const broken of ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?//8=?="])
      expect(readHeaderValue(broken)).toBeUndefined();
  });
});

describe("messages", () => {
  it("are requests, notifications or responses", () => {
    expect(readMessage('{"jsonrpc":"2.0","id":"a","method":"m"}')).toEqual({ kind: "request", id: "a", method: "m", params: {} });
    expect(readMessage('{"jsonrpc":"2.0","method":"m","params":{"a":1}}')).toEqual({ kind: "notification", method: "m", params: { a: 1 } });
    expect(readMessage('{"jsonrpc":"2.0","id":1,"result":{}}')).toMatchObject({ kind: "response", id: 1, result: {} });
  });

  it.each([
    ["no JSON", "nope", -32700],
    ["a batch", "[]", -32600],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"m"}', -32600],
    ["an id that is no id", '{"jsonrpc":"2.0","id":1.5,"method":"m"}', -32600],
    ["parameters in a list", '{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', -32602],
    ["nothing that is known", '{"jsonrpc":"2.0","id":1}', -32600],
    ["too deep", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${"[".repeat(600)}${"]".repeat(600)}}}`, -32700],
  ])("are refused for %s", (_what, text, code) => {
    expect(() => readMessage(text)).toThrow(expect.objectContaining({ code }));
  });

  it("may hold as many brackets in texts as they like", () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${JSON.stringify('\\"[{'.repeat(maxDepth * 4))}}}`;
    expect(readMessage(text)).toMatchObject({ kind: "request" });
  });
});

describe("URI templates", () => {
  it("give back what was filled in", () => {
    const template = readUriTemplate("notes://{folder}/{id}.md")!;
    const part = fc.string({ minLength: 1, unit: fc.constantFrom(..."abcXYZ019 äß%") });
    fc.assert(
      fc.property(part, part, (folder, id) => {
        expect({ ...template.match(`notes://${encodeURIComponent(folder)}/${encodeURIComponent(id)}.md`) }).toEqual({ folder, id });
      }),
    );
  });

  it("match whole URIs only, and no gap reaches over a slash", () => {
    const template = readUriTemplate("x://{a}/b")!;
    for (const uri of ["x:///b", "x://1/2/b", "x://1/b/", "y://1/b", "x://%zz/b"]) expect(template.match(uri)).toBeUndefined();
  });

  it("of another form are none", () => {
    for (const text of ["x://{a}{b}", "x://{a", "x://{?q}", "x://a}"]) expect(readUriTemplate(text)).toBeUndefined();
  });
});

describe("results of tools with an output schema", () => {
  const tool = (outputSchema: Record<string, unknown>) =>
    defineTool({ name: "t", description: "", inputSchema: { type: "object" }, outputSchema, handler: () => "" });
  const meta = { callId: "1", tool: "t", durationMs: 0 };
  const list = tool({ type: "array", items: { type: "number" } });

  it("carry data that agrees with it, or are errors", () => {
    expect(toCallResult({ ok: true, content: "[1]", data: [1], meta }, list, "modern")).toMatchObject({ structuredContent: [1] });
    expect(toCallResult({ ok: true, content: '["a"]', data: ["a"], meta }, list, "modern")).toMatchObject({ isError: true });
  });

  it("promise objects alone in the legacy era", () => {
    expect(toMcpTool(list, "ready", "legacy")["outputSchema"]).toBeUndefined();
    expect(toCallResult({ ok: true, content: "[1]", data: [1], meta }, list, "legacy")).toEqual({
      content: [{ type: "text", text: "[1]" }],
    });
  });
});

describe("details that the content does not show", () => {
  const meta = { callId: "1", tool: "t", durationMs: 0 };
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const details = (result: object) => toCallResult({ ok: true, content: "", meta, ...result }, undefined, "modern")._meta;

  it("are in _meta, since a tool without an output schema promises no structured content", () => {
    expect(toCallResult({ ok: true, content: "", blocks: [image], data: { rows: 3 }, meta }, undefined, "legacy")).toEqual({
      content: [image],
      _meta: { "toolrack/details": { rows: 3 } },
    });
    expect(details({ content: "3 rows", data: [1, 2, 3] })).toEqual({ "toolrack/details": [1, 2, 3] });
  });

  it("are not sent a second time where the text or a block shows them", () => {
    expect(details({ content: '{"rows":3}', data: { rows: 3 } })).toBeUndefined();
    expect(details({ content: "same", data: "same" })).toBeUndefined();
    expect(details({ blocks: [image, { type: "json", data: { rows: 3 } }], data: { rows: 3 } })).toBeUndefined();
    expect(details({ blocks: [image, { type: "text", text: '{\n  "rows": 3\n}' }], data: { rows: 3 } })).toBeUndefined();
  });
});
