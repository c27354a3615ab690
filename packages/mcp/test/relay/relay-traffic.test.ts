import { PassThrough } from "node:stream";
import { relayStdio } from "@toolrack/mcp/relay";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { _meta, answer, events, event, relayTo, result, shown } from "./_scripted.ts";

describe("what a relay sends", () => {
  it("has the headers of a modern request, as its message says them", async () => {
    const relayed = relayTo((request) => result(request));
    await relayed.ask(1, "tools/call", { name: "échange", arguments: {}, _meta });
    await relayed.ask(2, "resources/read", { uri: "a://1", _meta });
    await relayed.ask(3, "tasks/get", { taskId: "t1", _meta });
    await relayed.ask(4, "prompts/get", { name: "greet", _meta });
    await relayed.ask(5, "tools/list", { _meta });
    expect(shown(relayed.sent)).toMatchInlineSnapshot(`
      [
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28","mcp-method":"tools/call","mcp-name":"=?base64?w6ljaGFuZ2U=?="} {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"échange","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28","mcp-method":"resources/read","mcp-name":"a://1"} {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"a://1","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28","mcp-method":"tasks/get","mcp-name":"t1"} {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"t1","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28","mcp-method":"prompts/get","mcp-name":"greet"} {"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"greet","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28","mcp-method":"tools/list"} {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}",
      ]
    `);
  });

  it("has the session of a legacy client, from its handshake to its end", async () => {
    const relayed = relayTo((request) => {
      if (request.method !== "POST") return answer(405);
      if (request.message.method === "initialize")
        return result(request, { protocolVersion: "2025-06-18", capabilities: {} }, { "mcp-session-id": "s1" });
      return request.message.id === undefined ? answer(202) : result(request, { ok: true });
    });
    await relayed.ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } });
    relayed.write({ method: "notifications/initialized" });
    await relayed.ask(2, "tools/list");
    relayed.write({ id: "s-1", result: { roots: [] } });
    await until(() => relayed.sent.some(({ message }) => message.id === "s-1") && relayed.sent.some(({ method }) => method === "GET"));
    relayed.input.end();
    await relayed.done;
    expect(shown(relayed.sent).toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE {"mcp-protocol-version":"2025-06-18","mcp-session-id":"s1"}",
        "GET {"accept":"text/event-stream","mcp-protocol-version":"2025-06-18","mcp-session-id":"s1"}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2025-06-18","mcp-session-id":"s1"} {"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2025-06-18","mcp-session-id":"s1"} {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2025-06-18","mcp-session-id":"s1"} {"jsonrpc":"2.0","method":"notifications/initialized"}",
        "POST {"accept":"application/json, text/event-stream","content-type":"application/json"} {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}",
      ]
    `);
    expect(relayed.lines).toMatchInlineSnapshot(`
      [
        "{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}",
        "{"jsonrpc":"2.0","id":2,"result":{"ok":true}}",
      ]
    `);
  });
});

describe("what a relay passes on", () => {
  it("is an error of the protocol as the server wrote it", async () => {
    const error = { code: -32099, message: "No.", data: { why: 1 } };
    const relayed = relayTo(() => answer(400, JSON.stringify({ jsonrpc: "2.0", id: 1, error })));
    expect(await relayed.ask(1, "tools/call", { name: "x", _meta })).toEqual({ jsonrpc: "2.0", id: 1, error });
    expect(await relayed.ask(2, "tools/list", { _meta })).toEqual({ jsonrpc: "2.0", id: 2, error });
    const odd = relayTo(() => answer(400, JSON.stringify({ error: { code: "x", message: "No." } })));
    expect((await odd.ask(1, "tools/list", { _meta })).error).toEqual({ code: -32603, message: "The server answered with status 400." });
    const list = relayTo(() => answer(500, "[]"));
    expect((await list.ask(1, "tools/list", { _meta })).error).toEqual({ code: -32603, message: "The server answered with status 500." });
  });

  it("is every message of a stream, up to the response", async () => {
    const notice = { method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
    const relayed = relayTo((request) =>
      events(request, ["data:\n\n", event(notice), event({ id: 1, result: {} }), event(notice)], "stays open"),
    );
    await relayed.ask(1, "tools/call", { name: "x", _meta });
    expect(relayed.messages()).toEqual([
      { jsonrpc: "2.0", ...notice },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]);
  });

  it("is a failure where the server ended without a response", async () => {
    const relayed = relayTo((request) => events(request, [], "ends"));
    expect((await relayed.ask(1, "tools/call", { name: "x", _meta })).error).toEqual({
      code: -32603,
      message: "The server ended the connection before it answered. A call may have run: look with toolrack calls, then try again.",
    });
  });

  it("says of a line that is no message what is wrong, with its id where it has one", async () => {
    const relayed = relayTo((request) => result(request));
    for (const line of ["{", "[]", '{"jsonrpc":"2.0","id":7,"method":"x","params":[]}', "", '{"jsonrpc":"2.0","id":1.5,"method":"x"}'])
      relayed.input.write(`${line}\n`);
    await relayed.ask(9, "tools/list", { _meta });
    expect(relayed.lines.slice(0, -1)).toMatchInlineSnapshot(`
      [
        "{"jsonrpc":"2.0","error":{"code":-32700,"message":"The message is not valid JSON. Send one JSON value, encoded as UTF-8."}}",
        "{"jsonrpc":"2.0","error":{"code":-32600,"message":"Batches were removed from the protocol: send one message at a time."}}",
        "{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"params must be an object."}}",
        "{"jsonrpc":"2.0","error":{"code":-32600,"message":"The id of a request must be a text or a whole number."}}",
      ]
    `);
  });
});

describe("the end of a relay", () => {
  it("comes with its signal, before or after it began", async () => {
    for (const isBefore of [true, false]) {
      const controller = new AbortController();
      if (isBefore) controller.abort();
      const done = relayStdio({
        input: new PassThrough(),
        write: () => undefined,
        send: async () => answer(200),
        signal: controller.signal,
      });
      controller.abort();
      expect(await done).toBeUndefined();
    }
  });

  it("tells of a message that could not be delivered, and not when it is over", async () => {
    const notices: string[] = [];
    const input = new PassThrough();
    const done = relayStdio({
      input,
      write: () => undefined,
      send: () => Promise.reject(new Error("It is gone.")),
      onNotice: (text) => notices.push(text),
    });
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}\n');
    await until(() => notices.length > 0);
    input.end();
    await done;
    expect(notices).toEqual(["A message of the client was not delivered: It is gone."]);
  });
});
