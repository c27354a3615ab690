import { createRegistry, defineTool, ToolError } from "@toolrack/core";
import { mcpClient, type McpEndpoint, type McpVisit, serveMcp, type ServeMcpOptions } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { untilAborted } from "@toolrack/testkit/aborted";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createMemorySessionStore } from "../../../src/serve/http/sessions/memory-session-store.ts";
import type { SessionMessage, SessionStore } from "../../../src/serve/http/sessions/session-store.ts";
import { nothing } from "../serve.ts";

const key = "k".repeat(32);
const accept = "application/json, text/event-stream";
type Headers = Record<string, string>;

const echo = defineTool({ name: "echo", description: "Answers.", inputSchema: nothing, handler: () => "here" });
const ended: unknown[] = [];
const hang = defineTool({
  name: "hang",
  description: "Waits until it is cancelled.",
  inputSchema: nothing,
  async handler(_input, { signal }) {
    ended.push("begun");
    await untilAborted(signal).catch(() => undefined);
    ended.push((signal.reason as Error | undefined)?.message ?? signal.reason);
    return "";
  },
});
const ask = defineTool({
  name: "ask",
  description: "Asks a person.",
  inputSchema: nothing,
  handler: (_input, context) =>
    mcpClient(context)!.elicit({ message: "Really?", requestedSchema: { type: "object", properties: {} } }) as never,
});

function open(options: ServeMcpOptions = {}): McpEndpoint {
  ended.length = 0;
  const registry = createRegistry();
  for (const tool of [echo, hang, ask]) registry.register(tool);
  const endpoint = serveMcp(registry, { requestStateKey: key, ...options });
  afterThisTest(() => endpoint.close());
  return endpoint;
}

interface Asking {
  readonly headers?: Headers;
  readonly visit?: McpVisit;
  readonly method?: string;
}

function request(
  endpoint: McpEndpoint,
  message: object | undefined,
  { headers = {}, visit, method = "POST" }: Asking = {},
): Promise<Response> {
  const body = message === undefined ? null : JSON.stringify({ jsonrpc: "2.0", ...message });
  return endpoint.fetch(
    new Request("http://localhost/mcp", { method, headers: { "content-type": "application/json", accept, ...headers }, body }),
    visit,
  );
}

async function handshake(
  endpoint: McpEndpoint,
  { version = "2025-11-25", visit }: { version?: string; visit?: McpVisit } = {},
): Promise<Headers> {
  const params = { protocolVersion: version, capabilities: { elicitation: {} }, clientInfo: { name: "t", version: "1" } };
  const answer = await request(endpoint, { id: 1, method: "initialize", params }, visit ? { visit } : {});
  return { "mcp-session-id": answer.headers.get("mcp-session-id")! };
}

const statusAnd = async (response: Response): Promise<[number, string | undefined]> => {
  const text = await response.text();
  return [response.status, text === "" ? undefined : (JSON.parse(text).error?.message ?? text)];
};

/** Reads a stream up to the first text that fits, then goes away. */
async function readUntil(response: Response, pattern: RegExp): Promise<RegExpExecArray> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value = "" } = await reader.read();
    text += value;
    const found = pattern.exec(text);
    if (found !== null) return (await reader.cancel(), found);
    if (done) throw new Error(`The stream ended with ${text}`);
  }
}

const noSession = "There is no such session (any more). Initialize again.";

describe("a legacy session", () => {
  it("that does not exist, has ended or belongs to someone else is answered with 404, whatever is asked", async () => {
    const endpoint = open();
    const ada = { caller: { agent: "ada" } };
    const headers = await handshake(endpoint, { visit: ada });
    const accepted = await request(endpoint, { id: 2, method: "ping" }, { headers, visit: ada });
    expect(accepted.status).toBe(200);
    const asks: [message: object | undefined, method?: string][] = [
      [{ id: 2, method: "ping" }],
      [{ method: "notifications/initialized" }],
      [{ id: 2, result: {} }],
      [undefined, "GET"],
      [undefined, "DELETE"],
    ];
    for (const wrong of [{ headers: { "mcp-session-id": "x" } }, { headers }, { headers, visit: { caller: { agent: "eve" } } }])
      for (const [message, method = "POST"] of asks)
        expect(await statusAnd(await request(endpoint, message, { ...wrong, method }))).toEqual([404, noSession]);
    const told = await (await request(endpoint, { id: "q", method: "ping" }, { headers })).json();
    expect(told).toMatchObject({ id: "q", error: { code: -32600 } });
  });

  it("belongs to the key that it was opened with", async () => {
    const endpoint = open();
    const visit = { caller: { agent: "ada" }, credential: "key-1" };
    const headers = await handshake(endpoint, { visit });
    expect((await request(endpoint, { id: 2, method: "ping" }, { headers, visit })).status).toBe(200);
    expect((await request(endpoint, { id: 2, method: "ping" }, { headers, visit: { ...visit, credential: "key-2" } })).status).toBe(404);
    expect((await request(endpoint, { id: 2, method: "ping" }, { headers, visit: { caller: visit.caller } })).status).toBe(404);
  });

  it("ends on request, with its calls and its streams", async () => {
    const endpoint = open();
    const headers = await handshake(endpoint);
    const stream = await request(endpoint, undefined, { headers, method: "GET" });
    expect([stream.status, endpoint.usage.streams]).toEqual([200, 1]);
    const call = request(endpoint, { id: 2, method: "tools/call", params: { name: "hang", arguments: {} } }, { headers });
    await until(() => ended.length === 1);
    expect((await request(endpoint, undefined, { headers, method: "DELETE" })).status).toBe(204);
    expect((await call).status).toBe(200);
    expect(ended[1]).toBe("The session has ended.");
    await stream.text();
    expect(endpoint.usage.streams).toBe(0);
    expect((await request(endpoint, { id: 3, method: "ping" }, { headers })).status).toBe(404);
  });

  it("is not needed for most requests; without one nothing can be ended, and nothing is set", async () => {
    const endpoint = open();
    const deleted = await request(endpoint, undefined, { method: "DELETE" });
    expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "POST, GET"]);
    expect((await request(endpoint, { method: "notifications/cancelled", params: { requestId: 1 } })).status).toBe(202);
    expect((await request(endpoint, { id: 4, result: {} })).status).toBe(202);
    for (const method of ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]) {
      const answer = await request(endpoint, { id: 2, method, params: {} });
      expect([answer.status, ((await answer.json()) as { error: { code: number } }).error.code]).toEqual([200, -32601]);
    }
    const plain = await request(endpoint, undefined, { method: "GET", headers: { accept: "application/json" } });
    expect([plain.status, plain.headers.get("allow")]).toEqual([405, "POST, GET, DELETE"]);
  });

  it('cancels a call by its request, 1 and "1" being two, also one that comes after its cancel', async () => {
    const endpoint = open();
    const headers = await handshake(endpoint);
    const hanging = (id: number | string) =>
      request(endpoint, { id, method: "tools/call", params: { name: "hang", arguments: {} } }, { headers });
    const cancel = (params: object, method = "notifications/cancelled") => request(endpoint, { method, params }, { headers });
    const call = hanging(5);
    await until(() => ended.length === 1);
    for (const other of [{ requestId: "5" }, { requestId: 6 }, { requestId: { id: 5 } }, {}])
      expect((await cancel(other)).status).toBe(202);
    expect((await cancel({ requestId: 5 }, "notifications/other")).status).toBe(202);
    expect(ended).toEqual(["begun"]);
    expect((await cancel({ requestId: 5 })).status).toBe(202);
    await call;
    expect(ended[1]).toBe("The client cancelled the call.");
    expect(await (await hanging("5")).text()).toContain("The client cancelled the call.");
  });
});

describe("the settings of a legacy session", () => {
  const setting = (store?: SessionStore) => {
    const endpoint = open(store ? { sessionStore: store } : {});
    return {
      endpoint,
      set: async (headers: Headers, method: string, params: object): Promise<[number, string | undefined]> =>
        statusAnd(await request(endpoint, { id: 2, method, params }, { headers })),
    };
  };

  it("are its log level and its subscriptions, each checked", async () => {
    const store = createMemorySessionStore();
    const { endpoint, set } = setting(store);
    const headers = await handshake(endpoint);
    const changed: unknown[] = [];
    const { change } = store;
    store.change = (session, how) => change(session, (now) => (changed.push(how(now)), how(now)));
    expect(await set(headers, "logging/setLevel", { level: "loud" })).toEqual([
      400,
      expect.stringContaining("level must be one of debug, info, notice"),
    ]);
    expect(await set(headers, "resources/subscribe", { uri: 5 })).toEqual([400, "uri must be a text."]);
    expect(changed).toEqual([]);
    for (const [method, params] of [
      ["logging/setLevel", { level: "info" }],
      ["resources/subscribe", { uri: "a://1" }],
      ["resources/subscribe", { uri: "a://2" }],
      ["resources/subscribe", { uri: "a://1" }],
      ["resources/unsubscribe", { uri: "a://1" }],
    ] as const)
      expect(await set(headers, method, params)).toEqual([200, '{"jsonrpc":"2.0","id":2,"result":{}}']);
    expect(changed).toEqual([
      { uris: [], logLevel: "info" },
      { logLevel: "info", uris: ["a://1"] },
      { logLevel: "info", uris: ["a://1", "a://2"] },
      { logLevel: "info", uris: ["a://1", "a://2"] },
      { logLevel: "info", uris: ["a://2"] },
    ]);
    expect(endpoint.usage.sessions).toBe(1);
  });

  it("decide which updates of resources a listener is told of", async () => {
    const { endpoint, set } = setting();
    const headers = await handshake(endpoint);
    await set(headers, "resources/subscribe", { uri: "a://1" });
    const [own, other] = [
      await request(endpoint, undefined, { headers, method: "GET" }),
      await request(endpoint, undefined, { method: "GET" }),
    ];
    for (const uri of ["a://2", "a://1"]) endpoint.notify.resourceUpdated(uri);
    endpoint.notify.promptsChanged();
    endpoint.notify.resourcesChanged();
    const [heard] = await readUntil(own, /[^]*resources\/list_changed/);
    expect(heard.match(/a:\/\/\d|\w+\/list_changed/g)).toEqual(["a://1", "prompts/list_changed", "resources/list_changed"]);
    const [unsubscribed] = await readUntil(other, /[^]*resources\/list_changed/);
    expect(unsubscribed).not.toContain("a://");
  });

  it("hold a thousand subscriptions of 65,536 characters together", async () => {
    const store = createMemorySessionStore();
    const { endpoint, set } = setting(store);
    const many = await handshake(endpoint);
    const { change } = store;
    store.change = (session, how) =>
      change(session, (now) => how({ ...now, uris: Array.from({ length: 999 }, (_, index) => `a://${index}`) }));
    expect((await set(many, "resources/subscribe", { uri: "a://last" }))[0]).toBe(200);
    store.change = change;
    expect(await set(many, "resources/subscribe", { uri: "a://more" })).toEqual([400, "1000 resources are subscribed to already."]);
    expect((await set(many, "resources/subscribe", { uri: "a://7" }))[0]).toBe(200);
    const long = await handshake(endpoint);
    expect((await set(long, "resources/subscribe", { uri: "x".repeat(65_530) }))[0]).toBe(200);
    expect(await set(long, "resources/subscribe", { uri: "1234567" })).toEqual([
      400,
      expect.stringContaining("may have 65536 characters together"),
    ]);
    expect((await set(long, "resources/subscribe", { uri: "123456" }))[0]).toBe(200);
  });

  it("are not confirmed where they could not be stored, and why is not told", async () => {
    const store = createMemorySessionStore();
    const { endpoint, set } = setting(store);
    const headers = await handshake(endpoint);
    const failing = (error: unknown) => (store.change = () => Promise.reject(error));
    failing(new Error("connect ECONNREFUSED 10.0.0.7:5432"));
    const answer = await request(endpoint, { id: 2, method: "logging/setLevel", params: { level: "info" } }, { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({
      id: 2,
      error: { message: expect.stringMatching(/the store does not answer\. Send it again\.$/) },
    });
    failing(new ToolError("QUEUE_FULL", "Too many messages wait."));
    const full = await request(endpoint, { id: 2, method: "logging/setLevel", params: { level: "info" } }, { headers });
    expect([full.status, full.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await set(headers, "logging/setLevel", { level: "info" })).toEqual([429, "Too many messages wait."]);
    store.end = () => Promise.reject(new Error("down"));
    expect((await request(endpoint, undefined, { headers, method: "DELETE" })).status).toBe(503);
  });
});

describe("servers that share legacy sessions", () => {
  /** A store that notes what a server tells the others, and can hand it on. */
  function shared() {
    const store = createMemorySessionStore();
    const told: SessionMessage[] = [];
    const listeners = new Set<(message: SessionMessage) => boolean>();
    const { subscribe } = store;
    store.tell = async (_session, message) => void told.push(message);
    store.subscribe = (listener) => {
      listeners.add(listener);
      const leave = subscribe(listener);
      return () => (leave(), void listeners.delete(listener));
    };
    return { store, told, deliver: (message: SessionMessage) => [...listeners].map((listener) => listener(message)) };
  }

  it("tell each other of the cancel of a call that runs elsewhere, and cancel what they are told of", async () => {
    const { store, told, deliver } = shared();
    const endpoint = open({ sessionStore: store });
    const headers = await handshake(endpoint);
    expect((await request(endpoint, { method: "notifications/cancelled", params: { requestId: 9 } }, { headers })).status).toBe(202);
    expect(told).toEqual([{ kind: "cancel", session: expect.any(String), request: "number 9" }]);
    const call = request(endpoint, { id: 10, method: "tools/call", params: { name: "hang", arguments: {} } }, { headers });
    await until(() => ended.length === 1);
    expect(deliver({ ...told[0]!, request: "number 10" } as SessionMessage)).toContain(true);
    await call;
    expect(deliver({ ...told[0]!, request: "number 10" } as SessionMessage)).not.toContain(true);
    expect(ended[1]).toBe("The client cancelled the call.");
  });

  it("pass on the answer to a question that another asked, and not one that is too long or was never asked", async () => {
    const { store, told, deliver } = shared();
    const [asking, other] = [open({ sessionStore: store }), serveMcp(createRegistry(), { requestStateKey: key, sessionStore: store })];
    afterThisTest(() => other.close());
    const headers = await handshake(asking);
    const call = await request(asking, { id: 2, method: "tools/call", params: { name: "ask", arguments: {} } }, { headers });
    const reader = call.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readTo = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found[1]!;
        const { done, value } = await reader.read();
        if (done) throw new Error(`The stream ended with ${text}`);
        text += value;
      }
    };
    const id: string = JSON.parse(await readTo(/"id":("[^"]+"),"method":"elicitation/));
    expect((await request(other, { id: "never-asked", result: {} }, { headers })).status).toBe(202);
    expect(told).toEqual([]);
    const long = await request(other, { id, result: { action: "accept", content: { a: "x".repeat(524_288) } } }, { headers });
    expect(long.status).toBe(413);
    expect(await long.json()).toMatchObject({
      error: { message: expect.stringMatching(/^The answer was not passed on: its answer has \d+ characters, and at most 524288/) },
    });
    expect(told.splice(0)).toEqual([
      { kind: "answer", session: expect.any(String), response: { kind: "response", id }, fault: expect.any(String) },
    ]);
    const result = { action: "accept", content: {} };
    expect((await request(other, { id, result }, { headers })).status).toBe(202);
    expect(told).toEqual([
      { kind: "answer", session: expect.any(String), response: expect.objectContaining({ kind: "response", id, result }) },
    ]);
    expect(deliver(told[0]!)).toContain(true);
    expect(await readTo(/("action\\?":\\?"accept)/)).toBeDefined();
    expect(deliver(told[0]!)).not.toContain(true);
  });

  it("tell the client where a message could not be passed on", async () => {
    const { store } = shared();
    const endpoint = open({ sessionStore: store });
    const headers = await handshake(endpoint);
    store.tell = () => Promise.reject(new Error("down"));
    const answer = await request(endpoint, { method: "notifications/cancelled", params: { requestId: 9 } }, { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  });
});

describe("the streams of a legacy session", () => {
  it("have numbered events for clients of the newest version only, and are given up one by one", async () => {
    const endpoint = open();
    const streamOf = async (version: string) => {
      const headers = { ...(await handshake(endpoint, { version })), accept: "text/event-stream" };
      return (await request(endpoint, { id: 2, method: "tools/call", params: { name: "echo", arguments: {} } }, { headers })).text();
    };
    expect(await streamOf("2025-11-25")).toMatch(/^id: \S+_\d+\nretry: \d+\ndata: \n\n[^]*"here"/);
    expect(await streamOf("2025-06-18")).not.toMatch(/^id:/m);
  });

  it("cannot be resumed from an event that no stream had", async () => {
    const endpoint = open();
    const headers = await handshake(endpoint);
    for (const id of ["x", "x_", "_1", "x_1", "x_-1", "x_1234567890", "a_b_c"]) {
      const answer = await request(endpoint, undefined, { method: "GET", headers: { ...headers, "last-event-id": id } });
      expect(await statusAnd(answer), id).toEqual([404, noSession]);
    }
  });

  it("that another server has are answered with a pause, after which the client comes again", async () => {
    const [here, there] = [open(), open()];
    const headers = await handshake(here);
    const stream = await request(here, { id: 2, method: "tools/call", params: { name: "ask", arguments: {} } }, { headers });
    const [, id] = await readUntil(stream, /^id: (\S+)/m);
    const again = await request(there, undefined, { method: "GET", headers: { ...headers, "last-event-id": id! } });
    expect([again.status, await again.text()]).toEqual([200, `id: ${id}\nretry: 200\ndata: \n\n`]);
  });

  it("are refused where a caller has too many open, and one that is closed makes room", async () => {
    const endpoint = open({ streams: { perPrincipal: 1 } as never });
    const listen = () => request(endpoint, undefined, { method: "GET" });
    const first = await listen();
    const second = await listen();
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await second.json()).toMatchObject({ error: { message: "You have too many streams open. Close one first." } });
    await first.body!.cancel();
    await until(async () => (await listen()).status === 200);
  });

  it("end with what the caller signed in with", async () => {
    const endpoint = open();
    const controller = new AbortController();
    const stream = await request(endpoint, undefined, { method: "GET", visit: { caller: { agent: "ada" }, signal: controller.signal } });
    expect(endpoint.usage.streams).toBe(1);
    controller.abort();
    await stream.text();
    expect(endpoint.usage.streams).toBe(0);
  });
});
