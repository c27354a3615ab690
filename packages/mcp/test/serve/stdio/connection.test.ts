import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { createRegistry, defineTool } from "@toolrack/core";
import { mcpClient, serveMcp } from "@toolrack/mcp";
import { turns } from "@toolrack/testkit/turns";
import { untilAborted } from "@toolrack/testkit/aborted";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { McpError } from "../../../src/errors.ts";
import type { ChangeListener } from "../../../src/serve/changes/changes.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";
import { createConnection } from "../../../src/serve/stdio/connection.ts";
import { serveStdio } from "../../../src/serve/stdio/stdio.ts";
import type { RequestId } from "../../../src/wire/protocol.ts";
import { clientMeta, nothing } from "../serve.ts";

type Message = Record<string, any>;

/** A client that speaks lines over a pair of streams in this process. */
function open(caller?: object) {
  const registry = createRegistry();
  const seen: unknown[] = [];
  const tool = (name: string, handler: Parameters<typeof defineTool>[0]["handler"]) =>
    registry.register(defineTool({ name, description: "For tests.", inputSchema: nothing, handler } as Parameters<typeof defineTool>[0]));
  tool("who", (_input, { caller: own }) => own as never);
  tool("talk", (_input, context) => {
    for (const level of ["debug", "warning"] as const) mcpClient(context)!.log(level, `said ${level}`);
    return "done";
  });
  tool("hang", async (_input, { signal }) => {
    seen.push("begun");
    await untilAborted(signal).catch(() => undefined);
    seen.push((signal.reason as Error).message);
    return "";
  });
  const endpoint = serveMcp(registry, { name: "test", version: "1.0.0", instructions: "Be kind." });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = endpoint.stdio({ input, output, ...(caller && { caller: caller as never }) });
  const said: Message[] = [];
  let rest = "";
  output.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop()!;
    for (const line of lines) said.push(JSON.parse(line) as Message);
  });
  afterThisTest(async () => {
    await endpoint.close();
    await done;
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let count = 0;
  const ask = async (method: string, params: object = {}): Promise<Message> => {
    const id = `q${++count}`;
    send({ id, method, params });
    await until(() => said.some((message) => message["id"] === id), `There is no answer to ${method}.`);
    return said.find((message) => message["id"] === id)!;
  };
  const modern = (method: string, params: object = {}, meta: object = {}) => ask(method, { ...params, _meta: { ...clientMeta, ...meta } });
  const shake = (capabilities: unknown = {}) =>
    ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "t", version: "1" } });
  const told = (method: string): Message[] => said.filter((message) => message["method"] === method);
  return { endpoint, registry, input, output, done, said, seen, send, ask, modern, shake, told };
}

const textOf = (answer: Message): string => answer["result"].content[0].text;

describe("a legacy client over standard streams", () => {
  it("has a session from its handshake on, unless its caller has one", async () => {
    const { ask, shake } = open();
    expect(JSON.parse(textOf(await ask("tools/call", { name: "who", arguments: {} })))).toEqual({});
    const { result } = await shake();
    expect(result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "test", version: "1.0.0" },
      instructions: "Be kind.",
    });
    const [first, second] = [
      await ask("tools/call", { name: "who", arguments: {} }),
      await ask("tools/call", { name: "who", arguments: {} }),
    ];
    expect(JSON.parse(textOf(first))).toEqual({ session: expect.stringMatching(/^[\w-]{24}$/) });
    expect(textOf(second)).toBe(textOf(first));
    const own = open({ agent: "ada", session: "s1" });
    await own.shake();
    expect(JSON.parse(textOf(await own.ask("tools/call", { name: "who", arguments: {} })))).toEqual({ agent: "ada", session: "s1" });
  });

  it("sets the level of the log, and is refused what the protocol does not know", async () => {
    const { ask, shake, told } = open();
    expect((await ask("logging/setLevel", { level: "info" }))["error"].code).toBe(-32601);
    await shake();
    await ask("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message")).toEqual([]);
    expect((await ask("logging/setLevel", { level: "loud" }))["error"]).toMatchObject({
      code: -32602,
      message: "level is not one that the protocol knows.",
    });
    expect((await ask("logging/setLevel", { level: "info" }))["result"]).toEqual({});
    await ask("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message").map(({ params }) => params.level)).toEqual(["warning"]);
  });

  it("is told of changes after its handshake, once, and of the resources that it subscribed to", async () => {
    const { endpoint, ask, shake, send, told } = open();
    await shake();
    endpoint.notify.promptsChanged();
    for (let times = 0; times < 2; times++) send({ method: "notifications/initialized" });
    expect((await ask("resources/subscribe", { uri: 5 }))["error"].message).toBe("uri must be a text.");
    await ask("resources/subscribe", { uri: "a://1" });
    await ask("resources/subscribe", { uri: "a://2" });
    await ask("resources/unsubscribe", { uri: "a://2" });
    for (const uri of ["a://1", "a://2", "a://3"]) endpoint.notify.resourceUpdated(uri);
    endpoint.notify.promptsChanged();
    endpoint.notify.resourcesChanged();
    await until(() => told("notifications/resources/list_changed").length > 0);
    expect(told("notifications/resources/updated").map(({ params }) => params.uri)).toEqual(["a://1"]);
    expect([told("notifications/prompts/list_changed").length, told("notifications/resources/list_changed").length]).toEqual([1, 1]);
  });

  it("cancels a call by its request, and all end with the connection", async () => {
    const { send, said, seen, endpoint, done } = open();
    for (const id of [1, 2]) send({ id, method: "tools/call", params: { name: "hang", arguments: {} } });
    await until(() => seen.length === 2);
    for (const params of [{ requestId: "1" }, {}]) send({ method: "notifications/cancelled", params });
    send({ method: "notifications/other", params: { requestId: 1 } });
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => said.some(({ id }) => id === 1));
    expect(seen.slice(2)).toEqual(["The client cancelled the call."]);
    await endpoint.close();
    await done;
    await until(() => seen.length === 4);
    expect(seen.at(-1)).toBe("The connection was closed.");
  });
});

describe("a modern client over standard streams", () => {
  it("carries its facts in each request", async () => {
    const { modern, told } = open({ agent: "ada" });
    expect(JSON.parse(textOf(await modern("tools/call", { name: "who", arguments: {} })))).toEqual({ agent: "ada" });
    await modern("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message")).toEqual([]);
    await modern("tools/call", { name: "talk", arguments: {} }, { "io.modelcontextprotocol/logLevel": "loud" });
    expect(told("notifications/message")).toEqual([]);
    await modern("tools/call", { name: "talk", arguments: {} }, { "io.modelcontextprotocol/logLevel": "debug" });
    expect(told("notifications/message")).toHaveLength(2);
  });

  it("is refused where one is missing or unknown", async () => {
    const { ask, modern } = open();
    const version = "io.modelcontextprotocol/protocolVersion";
    expect((await ask("server/discover"))["error"].message).toContain(`params._meta["${version}"] is missing`);
    for (const unknown of [5, "2099-01-01"])
      expect((await modern("tools/list", {}, { [version]: unknown }))["error"]).toMatchObject({
        message: "This server does not speak that protocol version.",
        data: { supported: expect.arrayContaining(["2026-07-28"]), requested: String(unknown) },
      });
    expect((await modern("tools/list", {}, { "io.modelcontextprotocol/clientCapabilities": 5 }))["error"].message).toContain(
      "clientCapabilities",
    );
    expect((await modern("server/discover"))["result"]).toMatchObject({ instructions: "Be kind." });
    expect((await modern("initialize"))["error"].code).toBe(-32601);
  });

  it("is told of what it asks for until it cancels that, or the connection ends", async () => {
    const { endpoint, send, told, said, done } = open();
    const listen = (id: number, notifications: object) =>
      send({ id, method: "subscriptions/listen", params: { notifications, _meta: clientMeta } });
    const tagged = (id: number) =>
      told("notifications/prompts/list_changed").filter(({ params }) => params._meta["io.modelcontextprotocol/subscriptionId"] === id)
        .length;
    for (const id of [1, 1, 2]) listen(id, { promptsListChanged: true });
    await until(() => told("notifications/subscriptions/acknowledged").length === 3);
    endpoint.notify.promptsChanged();
    await until(() => tagged(2) === 1);
    expect(tagged(1)).toBe(1);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    listen(3, { promptsListChanged: true });
    await until(() => told("notifications/subscriptions/acknowledged").length === 4);
    endpoint.notify.promptsChanged();
    await until(() => tagged(3) === 1);
    expect([tagged(1), tagged(2)]).toEqual([1, 2]);
    await endpoint.close();
    await done;
    expect(
      said
        .filter(({ result }) => result !== undefined)
        .map(({ id, result }) => [id, result.resultType, result._meta["io.modelcontextprotocol/subscriptionId"]]),
    ).toEqual([
      [2, "complete", 2],
      [3, "complete", 3],
    ]);
  });
});

describe("standard streams", () => {
  it("are not read while the client does not read, and end with an error of the output", async () => {
    const registry = createRegistry();
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
    const done = serveMcp(registry).stdio({ input, output });
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await until(() => input.isPaused());
    output.resume();
    await until(() => !input.isPaused());
    output.emit("error", new Error("gone"));
    await done;
    expect(input.isPaused()).toBe(true);
  });

  it("are not written to once they are gone", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(createRegistry()).stdio({ input, output });
    output.on("error", () => undefined);
    output.destroy();
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    input.end();
    await done;
    expect(output.writableLength).toBe(0);
  });
});

describe("a connection with everything behind it played", () => {
  function play(answer: () => string | Promise<string> = () => "{}", caller: object = { agent: "ada" }) {
    const sent: string[] = [];
    const exchanges: Exchange[] = [];
    const listeners: ChangeListener[] = [];
    const stops: number[] = [];
    const clientRequests = { ask: vi.fn(async () => "said"), settle: vi.fn(() => true), fail: vi.fn(), wasAsked: vi.fn() };
    const send = (text: string): void => void sent.push(text);
    const connection = createConnection(
      {
        methods: { has: () => true, answer: (exchange) => (exchanges.push(exchange), answer()) },
        results: { complete: (era: string, result: object) => JSON.stringify({ era, ...result }) } as never,
        changes: {
          add: (listener: ChangeListener) => {
            const place = listeners.push(listener) - 1;
            return () => void stops.push(place);
          },
        } as never,
        clientRequests: clientRequests as never,
        serverInfo: { name: "hand", version: "1" },
        instructionsFor: ({ agent }) => `For ${String(agent)}.`,
      },
      { caller, principal: "p", isAnonymous: true, send },
    );
    const request = async (method: string, params: object = {}, id: RequestId = 1): Promise<void> => {
      connection.take({ kind: "request", id, method, params: params as never });
      await turns(2);
    };
    const notice = (method: string, params: object = {}): void =>
      connection.take({ kind: "notification", method, params: params as never });
    const shake = (more: object = {}): Promise<void> =>
      request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" }, ...more });
    return { connection, sent, exchanges, listeners, stops, clientRequests, send, request, notice, shake };
  }
  const factsOf = ({ era, id, method, params, caller, principal, isAnonymous, capabilities, clientInfo, logLevel }: Exchange): object => ({
    era,
    id,
    method,
    params,
    caller,
    principal,
    isAnonymous,
    capabilities,
    clientInfo,
    logLevel,
  });
  const common = { id: 1, method: "tools/list", params: {}, principal: "p", isAnonymous: true };

  it("knows of a legacy client what its handshake and its level say", async () => {
    const { request, shake, exchanges, sent } = play();
    await request("tools/list");
    await shake({ capabilities: { roots: {} } });
    await request("logging/setLevel", { level: "error" });
    await request("tools/list");
    await shake({ capabilities: "none", clientInfo: undefined });
    await request("tools/list");
    const caller = { agent: "ada", session: expect.any(String) };
    const legacy = { ...common, era: "legacy", caller, capabilities: {}, clientInfo: undefined, logLevel: undefined };
    expect(exchanges.map(factsOf)).toEqual([
      { ...legacy, caller: { agent: "ada" } },
      { ...legacy, capabilities: { roots: {} }, clientInfo: { name: "t", version: "1" }, logLevel: "error" },
      legacy,
    ]);
    expect(exchanges[1]!.caller.session).not.toBe(exchanges[2]!.caller.session);
    expect(sent[0]).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(JSON.parse(sent[1]!).result).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      serverInfo: { name: "hand", version: "1" },
      instructions: "For ada.",
    });
  });

  it("knows of a modern client what its request says, and asks it nothing", async () => {
    const { request, exchanges } = play();
    const info = { name: "t", version: "1" };
    const _meta = { ...clientMeta, "io.modelcontextprotocol/clientInfo": info, "io.modelcontextprotocol/logLevel": "error" };
    await request("tools/list", { _meta });
    expect(factsOf(exchanges[0]!)).toEqual({
      ...common,
      params: { _meta },
      era: "modern",
      caller: { agent: "ada" },
      capabilities: clientMeta["io.modelcontextprotocol/clientCapabilities"],
      clientInfo: info,
      logLevel: "error",
    });
    expect(exchanges[0]!.request).toBeUndefined();
  });

  it("asks a legacy client under one name, by which its answers are found", async () => {
    const { request, connection, exchanges, clientRequests, send } = play();
    await request("tools/call");
    const [exchange] = exchanges as [Exchange];
    expect(await exchange.request!("roots/list", { a: 1 })).toBe("said");
    const response = { kind: "response", id: "q", result: {} } as const;
    connection.take(response);
    const [[owner, ...rest]] = clientRequests.ask.mock.calls as unknown as [[string]];
    expect(owner).toMatch(/^[\w-]{24}$/);
    expect(rest).toEqual(["roots/list", { a: 1 }, send, exchange.signal]);
    expect(clientRequests.settle.mock.calls).toEqual([[owner, response]]);
  });

  it("cancels what runs, by its id alone, and nothing that is answered", async () => {
    const { request, notice, exchanges, sent } = play();
    await request("tools/call");
    notice("notifications/cancelled", { requestId: 1 });
    expect([exchanges[0]!.signal.aborted, sent.length]).toEqual([false, 1]);
    const waiting = play(() => new Promise(() => undefined));
    await waiting.request("tools/call");
    waiting.notice("notifications/other", { requestId: 1 });
    waiting.notice("notifications/cancelled", { requestId: 2 });
    expect(waiting.exchanges[0]!.signal.aborted).toBe(false);
    waiting.notice("notifications/cancelled", { requestId: 1 });
    expect(waiting.exchanges[0]!.signal.reason).toEqual(new DOMException("The client cancelled the call.", "AbortError"));
  });

  it("passes on what is said during a call, and its failure", async () => {
    const { request, exchanges, sent } = play(() => Promise.reject(new McpError("invalidParams", "No.")));
    await request("tools/call");
    exchanges[0]!.notify("notifications/progress", { progress: 1 });
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"No."}}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}',
    ]);
  });

  it("listens for a legacy client once, from its word on", async () => {
    const { notice, request, shake, listeners, sent } = play();
    await shake();
    expect(listeners).toEqual([]);
    for (let times = 0; times < 2; times++) notice("notifications/initialized");
    await request("resources/subscribe", { uri: "a://1" });
    expect(listeners).toHaveLength(1);
    const { wantsResource, tell, ...rest } = listeners[0]!;
    expect(rest).toEqual({ caller: { agent: "ada" }, isAnonymous: true, wantsTools: true, wantsPrompts: true, wantsResources: true });
    expect(["a://1", "a://2"].map(wantsResource)).toEqual([true, false]);
    tell("notifications/a", { b: 1 });
    expect(sent.at(-1)).toBe('{"jsonrpc":"2.0","method":"notifications/a","params":{"b":1}}');
  });

  it("stops listening where that is cancelled, asked for again under the same id, or over", async () => {
    const { connection, notice, request, listeners, stops, sent } = play();
    const listen = (id: RequestId): Promise<void> =>
      request("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: clientMeta }, id);
    notice("notifications/initialized");
    for (const id of [1, 1, 2]) await listen(id);
    expect([listeners.length, stops]).toEqual([4, [1]]);
    for (let times = 0; times < 2; times++) notice("notifications/cancelled", { requestId: 1 });
    expect(stops).toEqual([1, 2]);
    sent.length = 0;
    connection.close();
    connection.close();
    expect(stops).toEqual([1, 2, 0, 3]);
    expect(sent).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"era":"modern","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}']);
  });
});

describe("the end of standard streams", () => {
  it("leaves no listener behind, and takes nothing more", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const parts = { changes: {}, clientRequests: {}, methods: {}, results: {} };
    const done = serveStdio(parts as never, { input, output }, signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    input.end();
    await done;
    expect([getEventListeners(signal, "abort").length, input.isPaused()]).toEqual([0, true]);
  });

  it("comes with the end of the server, also while input is open", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const controller = new AbortController();
    const done = serveStdio({ changes: {}, clientRequests: {}, methods: {}, results: {} } as never, { input, output }, controller.signal);
    controller.abort();
    await done;
    expect(input.isPaused()).toBe(true);
  });
});
