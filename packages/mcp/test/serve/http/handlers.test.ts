import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import type { ChangeListener } from "../../../src/serve/changes/changes.ts";
import type { HttpAnswer, Visitor } from "../../../src/serve/http/http.ts";
import type { HttpExchange } from "../../../src/serve/http/http-exchange.ts";
import { createHttpHandler } from "../../../src/serve/http/http-handler.ts";
import { createMemorySessionStore } from "../../../src/serve/http/sessions/memory-session-store.ts";
import { createSessions } from "../../../src/serve/http/sessions/sessions.ts";
import { createStreamIds } from "../../../src/serve/http/streams/stream-ids.ts";
import { createStreams } from "../../../src/serve/http/streams/streams.ts";
import { createSigner } from "../../../src/serve/signer.ts";

interface Sent {
  readonly message?: object;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly visit?: Partial<Visitor>;
  readonly body?: string;
}

/** The handlers of both eras with everything behind them played. */
function play({ perPrincipal = 64, answer = (): string | Promise<string> => "{}" } = {}) {
  const signer = createSigner("k".repeat(32));
  const store = createMemorySessionStore();
  const sessions = createSessions({ signer, maxAgeMs: 60_000, idleMs: 60_000, store });
  const streams = createStreams({ perPrincipal });
  const exchanges: HttpExchange[] = [];
  const listeners: ChangeListener[] = [];
  const stopped = vi.fn();
  const clientRequests = {
    ask: vi.fn(async () => "said"),
    settle: vi.fn(() => true),
    fail: vi.fn(() => true),
    wasAsked: vi.fn(() => true),
  };
  const handler = createHttpHandler({
    methods: { has: () => true, answer: (exchange) => (exchanges.push(exchange as HttpExchange), answer()) },
    results: { complete: (_era: unknown, result: object) => JSON.stringify(result) } as never,
    changes: { add: (listener: ChangeListener) => (listeners.push(listener), stopped) } as never,
    sessions,
    clientRequests,
    streams,
    streamIds: createStreamIds(signer),
    guard: () => undefined,
    maxBodyValues: 10_000,
    serverInfo: { name: "hand", version: "1" },
    instructionsFor: ({ agent }) => `For ${String(agent)}.`,
  });
  async function send({ message, headers = {}, method = "POST", visit, body }: Sent): Promise<HttpAnswer> {
    const visitor = { caller: { agent: "ada" }, principal: "ada", isAnonymous: false, sessionOwner: "ada", ...visit };
    const bytes = Buffer.from(body ?? JSON.stringify({ jsonrpc: "2.0", ...message }));
    const all: Record<string, string> = { accept: "application/json, text/event-stream", ...headers };
    const request = { method, header: (name: string) => all[name], body: bytes, signal: new AbortController().signal };
    return new Promise((resolve) => handler.handle(request, visitor, resolve));
  }
  const handshake = async (version = "2025-11-25", capabilities: object = {}): Promise<Record<string, string>> => {
    const params = { protocolVersion: version, capabilities, clientInfo: { name: "t", version: "1" } };
    return { "mcp-session-id": (await send({ message: { id: 1, method: "initialize", params } })).headers!["mcp-session-id"]! };
  };
  return { handler, send, handshake, sessions, store, streams, exchanges, listeners, stopped, clientRequests };
}

const reader = () => ({ write: () => true, end: vi.fn(), giveUp: vi.fn() });

describe("a legacy handshake", () => {
  it("is answered with what this server is, and a session", async () => {
    const { send } = play();
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const answer = await send({ message: { id: "a", method: "initialize", params } });
    expect(answer).toEqual({ status: 200, headers: { "mcp-session-id": expect.any(String) }, body: expect.any(String) });
    expect(JSON.parse(answer.body!)).toEqual({
      jsonrpc: "2.0",
      id: "a",
      result: {
        protocolVersion: "2025-06-18",
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          completions: {},
          logging: {},
        },
        serverInfo: { name: "hand", version: "1" },
        instructions: "For ada.",
      },
    });
  });
});

describe("a legacy request", () => {
  it("is answered for the client of its session, with its level", async () => {
    const { send, handshake, exchanges } = play();
    const headers = await handshake("2025-11-25", { elicitation: { form: {} } });
    await send({ message: { id: 2, method: "logging/setLevel", params: { level: "error" } }, headers });
    await send({ message: { id: 3, method: "tools/call", params: { name: "x" } }, headers });
    const [{ era, id, method, params, caller, principal, capabilities, clientInfo, logLevel }] = exchanges as [HttpExchange];
    expect({ era, id, method, params, caller, principal, capabilities, clientInfo, logLevel }).toEqual({
      era: "legacy",
      id: 3,
      method: "tools/call",
      params: { name: "x" },
      caller: { agent: "ada", session: expect.any(String) },
      principal: "ada",
      capabilities: { elicitation: { form: {} } },
      clientInfo: undefined,
      logLevel: "error",
    });
    expect(exchanges[0]!.request).toBeDefined();
  });

  it("without a session has neither capabilities nor a level, and asks nobody", async () => {
    const { send, exchanges } = play();
    await send({ message: { id: 3, method: "tools/list" } });
    const [{ caller, capabilities, logLevel, request }] = exchanges as [HttpExchange];
    expect({ caller, capabilities, logLevel, request }).toEqual({
      caller: { agent: "ada" },
      capabilities: {},
      logLevel: undefined,
      request: undefined,
    });
  });

  it("asks the client of its session on its own stream", async () => {
    const { send, handshake, exchanges, clientRequests } = play();
    const headers = await handshake();
    await send({ message: { id: 3, method: "tools/call", params: { name: "x" } }, headers });
    const [exchange] = exchanges as [HttpExchange];
    expect(await exchange.request!("roots/list", { a: 1 })).toBe("said");
    expect(clientRequests.ask.mock.calls).toEqual([
      [exchange.caller.session, "roots/list", { a: 1 }, expect.any(Function), exchange.signal],
    ]);
  });

  it("that is a call ends with its session, and another request does not", async () => {
    const { send, handshake, exchanges, sessions, store } = play({ answer: () => new Promise(() => undefined) });
    const headers = await handshake();
    for (const method of ["tools/call", "prompts/list"]) void send({ message: { id: method, method, params: { name: "x" } }, headers });
    await turns(2);
    const signals = exchanges.map(({ signal }) => signal);
    await store.end(sessions.read(headers["mcp-session-id"]!, "ada")!);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(signals[0]!.reason).toEqual(new DOMException("The session has ended.", "AbortError"));
  });

  it("keeps 32 streams that nobody reads, the oldest making room, and any number that are read", async () => {
    const { send, handshake, exchanges, sessions } = play({ answer: () => new Promise(() => undefined) });
    const headers = await handshake();
    const open = async (isRead: boolean) => {
      void send({ message: { id: exchanges.length, method: "tools/call", params: { name: "x" } }, headers });
      const stream = exchanges.at(-1)!.openStream()!;
      if (isRead) stream.attach(reader());
      return stream;
    };
    const read = await open(true);
    const unread = await Promise.all(Array.from({ length: 32 }, () => open(false)));
    expect(unread.filter(({ isDone }) => isDone)).toEqual([]);
    await open(false);
    expect([read.isDone, unread.map(({ isDone }) => isDone).indexOf(true), unread.filter(({ isDone }) => isDone).length]).toEqual([
      false,
      0,
      1,
    ]);
    expect(sessions.peek(sessions.read(headers["mcp-session-id"]!, "ada")!)!.streams.size).toBe(33);
    // Nobody can hear the end of its call any more.
    expect(exchanges.map(({ signal }) => signal.aborted).indexOf(true)).toBe(1);
  });
});

describe("a legacy listener", () => {
  const listening = (more: Sent = {}): Sent => ({ method: "GET", body: "", ...more });

  it("hears of every change of its caller, and of resources that its session subscribed to", async () => {
    const { send, handshake, listeners } = play();
    const headers = await handshake();
    await send({ message: { id: 2, method: "resources/subscribe", params: { uri: "a://1" } }, headers });
    const { status, stream } = await send(listening({ headers, visit: { isAnonymous: true } }));
    const [{ wantsResource, tell, ...rest }] = listeners as [ChangeListener];
    expect([status, rest]).toEqual([
      200,
      { caller: { agent: "ada" }, isAnonymous: true, wantsTools: true, wantsPrompts: true, wantsResources: true },
    ]);
    expect(["a://1", "a://2"].map(wantsResource)).toEqual([true, false]);
    const written: string[] = [];
    stream!.attach({ ...reader(), write: (text) => written.push(text) > 0 });
    tell("notifications/resources/updated", { uri: "a://1" });
    expect(written).toEqual([
      'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://1"}}\n\n',
    ]);
  });

  it("without a session hears of no resource", async () => {
    const { send, listeners } = play();
    await send(listening());
    expect(listeners[0]!.wantsResource("a://1")).toBe(false);
  });

  it("leaves nothing behind when it goes away", async () => {
    const { send, handshake, stopped, streams } = play({ perPrincipal: 1 });
    const headers = await handshake();
    const { signal } = new AbortController();
    const leave = vi.spyOn(signal, "removeEventListener");
    const { stream } = await send(listening({ headers, visit: { signal } }));
    expect((await send(listening({ headers }))).status).toBe(429);
    const sink = reader();
    stream!.attach(sink);
    stream!.detach(sink);
    await turns(3);
    expect([stopped.mock.calls.length, leave.mock.calls.length, streams.size]).toEqual([1, 1, 0]);
    expect((await send(listening({ headers }))).status).toBe(200);
  });

  it("ends with its session, with all others of that and with none of another", async () => {
    const { send, handshake, sessions, store } = play();
    const [own, other] = [await handshake(), await handshake()];
    const sinks = [];
    for (const headers of [own, own, other]) {
      const sink = reader();
      (await send(listening({ headers }))).stream!.attach(sink);
      sinks.push(sink);
    }
    await store.end(sessions.read(own["mcp-session-id"]!, "ada")!);
    expect(sinks.map(({ end }) => end.mock.calls.length)).toEqual([1, 1, 0]);
  });

  it("ends with the sign-in", async () => {
    const controller = new AbortController();
    const { stream } = await play().send(listening({ visit: { signal: controller.signal } }));
    const sink = reader();
    stream!.attach(sink);
    controller.abort();
    expect(sink.end).toHaveBeenCalledTimes(1);
  });

  it("has to read streams", async () => {
    const { send } = play();
    for (const accept of ["application/json", ""])
      expect(await send(listening({ headers: { accept } }))).toEqual({ status: 405, headers: { allow: "POST, GET, DELETE" } });
  });
});

describe("the settings of a legacy session", () => {
  it("give it state here, and it ends with the sign-in that made them", async () => {
    const { send, handshake, sessions, store } = play();
    const headers = await handshake();
    const session = sessions.read(headers["mcp-session-id"]!, "ada")!;
    const controller = new AbortController();
    const visit = { signal: controller.signal };
    expect(await send({ message: { id: 2, method: "logging/setLevel", params: { level: "info" } }, headers, visit })).toEqual({
      status: 200,
      body: '{"jsonrpc":"2.0","id":2,"result":{}}',
    });
    expect(sessions.size).toBe(1);
    controller.abort();
    expect([sessions.size, store.hasEnded(session.key)]).toEqual([0, true]);
  });
});

describe("what another server says of a session", () => {
  it("is an answer, or why there is none", async () => {
    const store = createMemorySessionStore();
    const { subscribe } = store;
    const heard: ((message: never) => boolean)[] = [];
    store.subscribe = (listener) => (heard.push(listener as never), subscribe(listener));
    const clientRequests = { ask: vi.fn(), settle: vi.fn(() => true), fail: vi.fn(() => false), wasAsked: vi.fn() };
    const signer = createSigner("k".repeat(32));
    const left = vi.fn();
    const sessions = createSessions({ signer, maxAgeMs: 1, idleMs: 1, store });
    heard.length = 0;
    store.subscribe = (listener) => (heard.push(listener as never), left);
    const handler = createHttpHandler({ sessions, clientRequests, streams: createStreams() } as never);
    const response = { kind: "response", id: "q", result: {} };
    expect(heard[0]!({ kind: "answer", session: "s", response } as never)).toBe(true);
    expect(heard[0]!({ kind: "answer", session: "s", response, fault: "it is too long" } as never)).toBe(false);
    expect(clientRequests.settle.mock.calls).toEqual([["s", response]]);
    expect(clientRequests.fail.mock.calls).toEqual([["s", "q", "it is too long"]]);
    expect(heard[0]!({ kind: "end", session: "s" } as never)).toBe(false);
    handler.close();
    expect(left).toHaveBeenCalledTimes(1);
    sessions.close();
  });
});

describe("requests of any era", () => {
  it("are refused where they are no JSON, and read where they are", () => {
    const { handler } = play();
    const refuse = (method: string, type?: string) =>
      handler.refuse({ method, header: (name) => (name === "content-type" ? type : undefined) });
    const refused = {
      status: 415,
      body: '{"jsonrpc":"2.0","error":{"code":-32600,"message":"The content type must be application/json."}}',
    };
    for (const type of ["application/json", " Application/JSON ; charset=utf-8", "application/json;a"])
      expect(refuse("POST", type)).toBeUndefined();
    for (const type of [undefined, "text/plain", "application/jsonx", "a application/json"]) expect(refuse("POST", type)).toEqual(refused);
    expect(refuse("GET")).toBeUndefined();
  });

  it("are told of, but for responses", async () => {
    const { send } = play();
    const onMessage = vi.fn();
    await send({ message: { id: 1, method: "ping" }, visit: { onMessage } });
    await send({ message: { method: "notifications/a", params: { b: 1 } }, visit: { onMessage } });
    await send({ message: { id: 1, result: {} }, visit: { onMessage } });
    expect(onMessage.mock.calls).toEqual([
      [{ kind: "request", id: 1, method: "ping", params: {} }],
      [{ kind: "notification", method: "notifications/a", params: { b: 1 } }],
    ]);
  });

  it("with another method than POST, GET and DELETE are not known", async () => {
    expect(await play().send({ method: "PUT", body: "" })).toEqual({ status: 405, headers: { allow: "POST, GET, DELETE" } });
  });

  it("that are large are read in turn, and answered the same", async () => {
    const filler = "x".repeat(70_000);
    expect(await play().send({ message: { id: 1, method: "ping", params: { filler } } })).toEqual({
      status: 200,
      body: '{"jsonrpc":"2.0","id":1,"result":{}}',
    });
    expect(await play().send({ body: filler })).toMatchObject({ status: 400, body: expect.stringContaining("-32700") });
  });

  it("that contradict their headers are refused under their id", async () => {
    const { send } = play();
    const mismatch = { code: -32020, message: "The header Mcp-Method is missing, or differs from the method in the body." };
    const headers = { "mcp-method": "tools/list" };
    expect(await send({ message: { id: 4, method: "ping" }, headers })).toEqual({
      status: 400,
      body: JSON.stringify({ jsonrpc: "2.0", id: 4, error: mismatch }),
    });
    expect(await send({ message: { method: "notifications/a" }, headers })).toEqual({
      status: 400,
      body: JSON.stringify({ jsonrpc: "2.0", error: mismatch }),
    });
  });

  it("that can be read no further than their id are refused under it", async () => {
    expect(await play().send({ message: { id: 7, method: "ping", params: [] } })).toEqual({
      status: 400,
      body: '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"params must be an object."}}',
    });
  });

  it("of the modern era that are notifications are taken without a word", async () => {
    const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const headers = { "mcp-session-id": "none" };
    expect(await play().send({ message: { method: "notifications/a", params }, headers })).toEqual({ status: 202 });
    expect((await play().send({ message: { method: "notifications/a" }, headers })).status).toBe(404);
  });
});
