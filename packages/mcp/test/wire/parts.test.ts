import { defineTool, type ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { McpError } from "../../src/errors.ts";
import { errorResult, isPlainText, toCallResult } from "../../src/wire/call-result.ts";
import { embedResource, isEmbedded } from "../../src/wire/embedded-resource.ts";
import { readMessage, UnreadableRequest } from "../../src/wire/message.ts";
import { checkMirroredParams, mirroredParams } from "../../src/wire/param-headers.ts";
import { errorMessage, notificationMessage, PreparedResult, requestMessage, resultMessage, toJson, toTail } from "../../src/wire/reply.ts";
import { eventStreamHeaders, keepAlive, toEvent, toPrimingEvent } from "../../src/wire/sse.ts";

const meta = { tool: "echo", callId: "c", durationMs: 1 } as unknown as ToolResult["meta"];

describe("messages that are sent", () => {
  it("are JSON-RPC, with an id where there is one", () => {
    expect(JSON.parse(resultMessage(1, '{"a":1}'))).toEqual({ jsonrpc: "2.0", id: 1, result: { a: 1 } });
    expect(JSON.parse(resultMessage("x", new PreparedResult('{"a":1}')))).toEqual({ jsonrpc: "2.0", id: "x", result: { a: 1 } });
    expect(JSON.parse(notificationMessage("a/b"))).toEqual({ jsonrpc: "2.0", method: "a/b" });
    expect(JSON.parse(notificationMessage("a/b", { c: 1 }))).toEqual({ jsonrpc: "2.0", method: "a/b", params: { c: 1 } });
    expect(JSON.parse(requestMessage("r", "a/b", { c: 1 }))).toEqual({ jsonrpc: "2.0", id: "r", method: "a/b", params: { c: 1 } });
    const error = new McpError("invalidParams", "Wrong.", { field: "a" });
    expect(JSON.parse(errorMessage(1, error))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: "Wrong.", data: { field: "a" } },
    });
    expect(JSON.parse(errorMessage(undefined, new McpError("parse", "No.")))).toEqual({
      jsonrpc: "2.0",
      error: { code: -32700, message: "No." },
    });
  });

  it("are the same bytes where they were prepared", () => {
    const prepared = new PreparedResult('{"a":"ä"}');
    expect(JSON.parse(prepared.head.toString() + toTail("id"))).toEqual({ jsonrpc: "2.0", id: "id", result: { a: "ä" } });
    expect(prepared.head).toBe(prepared.head);
    expect([toJson(prepared), toJson("{}")]).toEqual(['{"a":"ä"}', "{}"]);
  });

  it("are events of a stream that proxies neither keep nor hold back", () => {
    expect(toEvent('{"a":1}', "7")).toBe('id: 7\nevent: message\ndata: {"a":1}\n\n');
    expect(toEvent("{}")).toBe("event: message\ndata: {}\n\n");
    expect(toPrimingEvent("7", 500)).toBe("id: 7\nretry: 500\ndata: \n\n");
    expect(() => toPrimingEvent("7\n8", 500)).toThrow("The id of an event must be one line");
    expect(keepAlive).toMatch(/^:.*\n\n$/);
    expect(eventStreamHeaders).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
  });
});

describe("messages that are read", () => {
  const refusal = (text: string): McpError => {
    try {
      readMessage(text);
    } catch (error) {
      return error as McpError;
    }
    throw new Error("It was read.");
  };

  it("name what is wrong with them, and keep the id of a request whose parameters are wrong", () => {
    expect(refusal("[]").message).toContain("one message at a time");
    expect(refusal('{"jsonrpc":"1.0","method":"a"}').message).toContain('jsonrpc: "2.0"');
    const wrong = refusal('{"jsonrpc":"2.0","id":5,"method":"a","params":[]}') as UnreadableRequest;
    expect(wrong).toBeInstanceOf(UnreadableRequest);
    expect([wrong.id, wrong.code]).toEqual([5, -32602]);
    expect((refusal('{"jsonrpc":"2.0","id":{},"method":"a","params":1}') as UnreadableRequest).id).toBeUndefined();
    expect(refusal('{"jsonrpc":"2.0","id":1.5,"method":"a"}')).toMatchObject({ code: -32600 });
    expect(refusal('{"jsonrpc":"2.0","id":1}')).toMatchObject({ code: -32600 });
    expect(refusal('{"jsonrpc":"2.0","id":1,"error":"x"}')).toMatchObject({ code: -32600 });
    expect(refusal('{"jsonrpc":"2.0","id":null,"result":1}')).toMatchObject({ code: -32600 });
    expect(refusal("{")).toMatchObject({ code: -32700 });
  });

  it("are requests, notifications and responses with all that they hold", () => {
    expect(readMessage('{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}')).toEqual({
      kind: "request",
      id: "a",
      method: "m",
      params: { x: 1 },
    });
    expect(readMessage('{"jsonrpc":"2.0","method":"m"}')).toEqual({ kind: "notification", method: "m", params: {} });
    expect(readMessage('{"jsonrpc":"2.0","id":1,"result":null}')).toMatchObject({ kind: "response", id: 1, result: null });
    expect(readMessage('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}')).toMatchObject({
      kind: "response",
      error: { code: 1 },
    });
  });
});

describe("parameters that are repeated in headers", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      plain: { type: "string" },
      odd: true,
      place: { type: "object", properties: { zone: { type: "integer", "x-mcp-header": "Zone" } } },
    },
  };
  const params = mirroredParams(schema);
  const check = (input: unknown, headers: Readonly<Record<string, string>>): void =>
    checkMirroredParams(params, input, (name) => headers[name]);

  it("are those that the schema marks, at any depth", () => {
    expect(params).toEqual([
      { path: ["region"], header: "mcp-param-region" },
      { path: ["place", "zone"], header: "mcp-param-zone" },
    ]);
    expect(mirroredParams(schema)).toBe(params);
    expect(mirroredParams({ type: "object" })).toEqual([]);
  });

  it("say the same as the body, or are not needed", () => {
    check({ region: "eu", place: { zone: 7 } }, { "mcp-param-region": "eu", "mcp-param-zone": "7" });
    check({ region: "ä" }, { "mcp-param-region": `=?base64?${Buffer.from("ä").toString("base64")}?=` });
    check({ plain: "x" }, {});
    check({ region: null }, {});
    check({ region: { a: 1 } }, {});
    check("text", {});
    check({ place: { zone: 1.5 } }, { "mcp-param-zone": "1.5" });
  });

  it.each([
    [{ region: "eu" }, {}, "The header mcp-param-region is missing, and the body has a value for region."],
    [{ region: "eu" }, { "mcp-param-region": "us" }, "The header mcp-param-region differs from region in the body."],
    [
      { region: "eu" },
      { "mcp-param-region": "=?base64?%%?=" },
      "The header mcp-param-region is not valid base64 between =?base64? and ?=.",
    ],
    [{ place: { zone: 7 } }, { "mcp-param-zone": "8" }, "The header mcp-param-zone differs from place.zone in the body."],
    [{ place: { zone: 7 } }, { "mcp-param-zone": "7x" }, "The header mcp-param-zone differs from place.zone in the body."],
    [{ place: { zone: 16 } }, { "mcp-param-zone": "0x10" }, "The header mcp-param-zone differs from place.zone in the body."],
  ])("are refused where they do not: %j %j", (input, headers, sentence) => {
    expect(() => check(input, headers as Record<string, string>)).toThrow(sentence);
    try {
      check(input, headers as Record<string, string>);
    } catch (error) {
      expect((error as McpError).data).toEqual({ header: Object.keys(headers)[0] ?? "mcp-param-region" });
    }
  });
});

describe("the result of a call", () => {
  const plain = defineTool({ name: "echo", description: "Says it.", inputSchema: { type: "object" }, handler: () => "x" });
  const typed = defineTool({
    name: "sum",
    description: "Adds.",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    handler: () => ({ sum: 1 }),
  });

  it("of a failure tells its code, its status, and when and how to go on", () => {
    const failure = {
      ok: false,
      error: "No.",
      code: "RATE_LIMITED",
      status: 429,
      retryable: true,
      retryAfterMs: 0,
      meta,
    } as unknown as ToolResult;
    expect(toCallResult(failure, plain, "modern")).toMatchObject({
      content: [{ type: "text", text: "No." }],
      isError: true,
      _meta: { "toolrack/code": "RATE_LIMITED", "toolrack/status": 429, "toolrack/retryable": true, "toolrack/retryAfterMs": 0 },
    });
    const final = { ok: false, error: "No.", code: "NOT_ALLOWED", status: 403, retryable: false, meta } as unknown as ToolResult;
    const told = toCallResult(final, undefined, "modern")._meta!;
    expect(told).not.toHaveProperty("toolrack/retryable");
    expect(told).not.toHaveProperty("toolrack/retryAfterMs");
    expect(told).not.toHaveProperty("toolrack/approval");
    expect(errorResult("x")).toEqual({ content: [{ type: "text", text: "x" }], isError: true });
  });

  it("carries data beside the text, and names every part that does not fit the output schema", () => {
    const fine = { ok: true, content: '{"sum":3}', data: { sum: 3 }, meta } as unknown as ToolResult;
    expect(toCallResult(fine, typed, "modern")).toMatchObject({
      content: [{ type: "text", text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    });
    const wrong = toCallResult({ ok: true, content: "x", data: { sum: "3" }, meta } as unknown as ToolResult, typed, "modern");
    expect(wrong.isError).toBe(true);
    expect(wrong._meta).toMatchObject({ "toolrack/code": "OUTPUT_INVALID" });
    expect(wrong.content[0]!["text"]).toMatch(/^The output of tool "sum" does not match its output schema: \/sum must be /);
    expect(wrong).not.toHaveProperty("structuredContent");
  });

  it("sends blocks of JSON as text, and resources with what they hold", () => {
    const blocks = [
      { type: "json", data: { a: 1 } },
      { type: "text", text: "t" },
      embedResource({ uri: "file:///a", mimeType: "text/plain", text: "x" }),
      embedResource({ uri: "file:///b", blob: "eA==" }),
      { type: "resource_link", uri: "file:///c", name: "c" },
    ];
    const result = { ok: true, content: "", blocks, meta } as unknown as ToolResult;
    expect(toCallResult(result, plain, "modern").content).toEqual([
      { type: "text", text: '{"a":1}' },
      { type: "text", text: "t" },
      { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "x" } },
      { type: "resource", resource: { uri: "file:///b", blob: "eA==" } },
      { type: "resource_link", uri: "file:///c", name: "c" },
    ]);
    expect(blocks.map((block) => isEmbedded(block as never))).toEqual([false, false, true, true, false]);
    expect(isPlainText(result, plain)).toBe(false);
    expect(isPlainText({ ok: true, content: "x", meta } as unknown as ToolResult, plain)).toBe(true);
    expect(isPlainText({ ok: true, content: "x", meta } as unknown as ToolResult, typed)).toBe(false);
    expect(isPlainText({ ok: true, content: "x", meta } as unknown as ToolResult, undefined)).toBe(true);
  });
});
