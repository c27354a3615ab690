import type { ServerResponse } from "node:http";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { connect, type Connection, type ConnectionEvents, type ConnectSettings } from "../../../src/upstream/connection/client.ts";
import type { HttpUpstream } from "../../../src/upstream/upstream.ts";
import type { HttpServer, Message } from "../server-types.ts";
import { httpServer } from "../upstreams.ts";

type Answers = Readonly<Record<string, (message: Message, response: ServerResponse) => unknown>>;

interface Scripted extends HttpServer {
  /** The messages that came, in order. */
  messages(): readonly Message[];
  /** Methods of HTTP and of the protocol: "POST tools/list", "DELETE". */
  steps(): readonly string[];
}

/** A server that answers by JSON as told; a method that is not there is unknown. An answer that is undefined was dealt with. */
async function scripted(answers: Answers): Promise<Scripted> {
  const server = await httpServer({
    before(request, response, body) {
      if (request.method !== "POST") return (response.writeHead(request.method === "DELETE" ? 200 : 405).end(), true);
      const message = JSON.parse(body) as Message;
      if (message.id === undefined || message.method === undefined) return (response.writeHead(202).end(), true);
      const answer = answers[message.method];
      const given = answer?.(message, response);
      if (answer !== undefined && given === undefined) return true;
      // Newer servers say of every result that it is one.
      const result = "server/discover" in answers && typeof given === "object" ? { resultType: "complete", ...given } : given;
      const session = message.method === "initialize" ? { "mcp-session-id": "s1" } : {};
      response.writeHead(200, { "content-type": "application/json", ...session });
      const error = { code: -32601, message: "Unknown." };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(answer === undefined ? { error } : { result }) }));
      return true;
    },
  });
  const messages = (): readonly Message[] => server.seen.flatMap(({ body }) => (body === "" ? [] : [JSON.parse(body) as Message]));
  const step = ({ method, body }: HttpServer["seen"][number]): string =>
    `${method} ${body === "" ? "" : ((JSON.parse(body) as Message).method ?? "response")}`.trimEnd();
  return Object.assign(server, { messages, steps: () => server.seen.map(step) });
}

const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };
const legacy = (more: object = {}): Answers => ({
  initialize: () => ({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "hand", version: "1.2" }, ...more }),
});
const modern = (more: object = {}): Answers => ({
  "server/discover": () => ({
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
    ...more,
  }),
});

interface Connected {
  readonly connection: Connection;
  readonly changed: ReturnType<typeof vi.fn>;
  readonly closed: ReturnType<typeof vi.fn>;
}

async function connectTo(
  server: HttpServer,
  {
    events = {},
    settings = {},
    ...more
  }: Partial<HttpUpstream> & { events?: Partial<ConnectionEvents>; settings?: Partial<ConnectSettings> } = {},
): Promise<Connected> {
  const [changed, closed] = [vi.fn(), vi.fn()];
  const connection = await connect(
    { name: "hand", url: server.url, allowHosts: [server.host], ...more },
    {
      timeoutMs: 59_000,
      maxMessageBytes: 1_000_000,
      events: { onListChanged: changed, onClosed: closed, onQuestion: async () => ({ action: "cancel" }), ...events },
      era: undefined,
      signal: new AbortController().signal,
      ...settings,
    },
  );
  afterThisTest(() => connection.close());
  return { connection, changed, closed };
}

const asking = {
  /** Another one each time: the client leaves its listeners on it. */
  get signal(): AbortSignal {
    return new AbortController().signal;
  },
  timeoutMs: 59_000,
};

describe("a connection to an older server", () => {
  it("knows what the server says of itself", async () => {
    const server = await scripted(legacy({ instructions: "Be kind." }));
    const { connection } = await connectTo(server);
    expect({ ...connection, facts: connection.facts() }).toMatchObject({
      era: "legacy",
      server: { name: "hand", version: "1.2" },
      tellsChanges: true,
      instructions: "Be kind.",
      has: { prompts: true, resources: true },
      facts: { protocolVersion: "2025-11-25", session: "s1" },
    });
    const { params } = server.messages().find(({ method }) => method === "initialize")!;
    expect(params).toEqual({
      protocolVersion: expect.any(String),
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "toolrack", version: "0.1.0" },
    });
    expect(server.steps().slice(0, 3)).toEqual(["POST server/discover", "POST initialize", "POST notifications/initialized"]);
  });

  it("that is known to be one is not probed", async () => {
    const server = await scripted(legacy({ capabilities: {} }));
    const { connection } = await connectTo(server, { settings: { era: "legacy" } });
    expect(server.steps()[0]).toBe("POST initialize");
    expect([connection.has, connection.tellsChanges, connection.instructions]).toEqual([
      { prompts: false, resources: false },
      false,
      undefined,
    ]);
  });

  it.each([
    [{ tools: { listChanged: true } }, { prompts: true, resources: true }, true],
    [{ tools: { listChanged: false } }, {}, false],
    [{ tools: { listChanged: true }, prompts: {}, resources: {} }, {}, true],
    [{ tools: { listChanged: true }, prompts: {} }, { prompts: true }, false],
    [{ tools: { listChanged: true }, prompts: { listChanged: true } }, { prompts: true }, true],
    [{ tools: { listChanged: true }, resources: {} }, { resources: true }, false],
  ])("that has %j tells a reader of %j all changes: %s", async (has, wants, expected) => {
    const server = await scripted(legacy({ capabilities: has }));
    expect((await connectTo(server, { ...wants, settings: { era: "legacy" } })).connection.tellsChanges).toBe(expected);
  });

  it("ends its session when it is closed, and nobody is told of an end", async () => {
    const server = await scripted(legacy());
    const { connection, closed } = await connectTo(server, { settings: { era: "legacy" } });
    await connection.close();
    expect(server.seen.filter(({ method }) => method === "DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1"]);
    expect(closed).not.toHaveBeenCalled();
    expect(connection.facts()).not.toHaveProperty("session");
  });

  it("is closed also where the server does not answer the end of the session", async () => {
    const server = await scripted(legacy());
    const { connection } = await connectTo(server, { settings: { era: "legacy" } });
    await server.close();
    expect(await connection.close()).toBeUndefined();
  });
});

describe("what is read over a connection", () => {
  const reading = async (answers: Answers, more: Partial<HttpUpstream> = {}): Promise<Connection> =>
    (await connectTo(await scripted({ ...modern(), ...answers }), more)).connection;
  const list = (cursor?: string) => ({ method: "things/list", field: "things", cursor });

  it("is one page of a list", async () => {
    const server = await scripted({
      ...modern(),
      "things/list": ({ params }) =>
        params!["cursor"] === undefined ? { things: [1, { a: 2 }], nextCursor: "next" } : { things: [], nextCursor: 7 },
    });
    const { connection } = await connectTo(server);
    expect(await connection.listPage(list(), asking)).toEqual({ items: [1, { a: 2 }], nextCursor: "next" });
    expect(await connection.listPage(list("next"), asking)).toEqual({ items: [] });
    const asked = server.messages().filter(({ method }) => method === "things/list");
    expect(asked.map(({ params }) => Object.keys(params!).includes("cursor") && params!["cursor"])).toEqual([false, "next"]);
  });

  it.each([
    [{ things: "none" }, "its list of things is not a list"],
    [{}, "its list of things is not a list"],
    [7, "object"],
  ])("is an error where the answer is %j", async (result, message) => {
    const connection = await reading({ "things/list": () => result });
    await expect(connection.listPage(list(), asking)).rejects.toThrow(message);
  });

  it("ends with its signal", async () => {
    const connection = await reading({ "things/list": () => undefined, "prompts/get": () => undefined, "tools/call": () => undefined });
    const controller = new AbortController();
    const options = { ...asking, signal: controller.signal };
    const all = [
      connection.listPage(list(), options),
      connection.request("prompts/get", { name: "a" }, options),
      connection.call({ name: "x", arguments: {} }, { ...options, inputSchema: { type: "object" }, onProgress: () => undefined }),
    ];
    const ended = Promise.all(all.map((one) => expect(one).rejects.toThrow("Enough.")));
    controller.abort(new Error("Enough."));
    await ended;
  });

  it("ends with its time", async () => {
    const connection = await reading({ "things/list": () => undefined, "prompts/get": () => undefined, "tools/call": () => undefined });
    const options = { ...asking, timeoutMs: 20 };
    for (const one of [
      connection.listPage(list(), options),
      connection.request("prompts/get", { name: "a" }, options),
      connection.call({ name: "x", arguments: {} }, { ...options, inputSchema: { type: "object" }, onProgress: () => undefined }),
    ])
      await expect(one).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  it("never shows the credentials of the connection, but for the state that goes back to the server", async () => {
    const secret = "s3cret-of-the-server";
    const promptSaying = (text: string): object => ({ messages: [{ role: "user", content: { type: "text", text } }] });
    const server = await scripted({
      ...modern({ instructions: `Use ${secret}.`, serverInfo: { name: `of ${secret}`, version: secret } }),
      "things/list": () => ({ things: [{ text: secret }] }),
      "prompts/get": ({ params }) => promptSaying(`${secret} ${String(params!["name"])}`),
      "tools/call": (message, response) => {
        const { progressToken } = message.params!["_meta"] as { progressToken: unknown };
        const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1, message: secret } };
        const result = { resultType: "input_required", inputRequests: {}, _meta: { note: secret }, requestState: secret };
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const one of [progress, { jsonrpc: "2.0", id: message.id, result }]) response.write(`data: ${JSON.stringify(one)}\n\n`);
        response.end();
      },
    });
    const { connection } = await connectTo(server, { headers: { "x-key": "secret:key" }, secret: () => secret });
    expect(server.seen.every(({ headers }) => headers["x-key"] === secret)).toBe(true);
    const hidden = connection.scrub.text(secret);
    expect(hidden).not.toContain(secret);
    expect(connection.instructions).toBe(`Use ${hidden}.`);
    expect((await connection.listPage(list(), asking)).items).toEqual([{ text: hidden }]);
    expect(await connection.request("prompts/get", { name: "a" }, asking)).toMatchObject(promptSaying(`${hidden} a`));
    const heard: unknown[] = [];
    const called = await connection.call(
      { name: "x", arguments: { a: 1 } },
      { ...asking, inputSchema: { type: "object" }, onProgress: (update) => heard.push(update) },
    );
    expect(called).toMatchObject({ resultType: "input_required", _meta: { note: hidden }, requestState: secret });
    expect(heard).toEqual([{ progress: 1, message: hidden }]);
    const { params } = server.messages().find(({ method }) => method === "tools/call")!;
    expect([params!["name"], params!["arguments"]]).toEqual(["x", { a: 1 }]);
  });

  it("has no state where the server sent none", async () => {
    const connection = await reading({ "tools/call": () => ({ resultType: "complete", content: [] }) });
    const called = await connection.call({ name: "x" }, { ...asking, inputSchema: { type: "object" }, onProgress: () => undefined });
    expect(Object.keys(called)).not.toContain("requestState");
  });
});

describe("what a server says by itself", () => {
  const sayings = ["tools", "prompts", "resources"].map((kind) => ({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` }));

  it.each([
    [{}, 1],
    [{ prompts: true }, 2],
    [{ resources: true }, 2],
    [{ prompts: true, resources: true }, 3],
  ])("is heard where it is wanted: %j", async (wants, times) => {
    const server = await scripted({
      ...legacy(),
      "things/list": (message, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const one of [...sayings, { jsonrpc: "2.0", id: message.id, result: { things: [] } }])
          response.write(`data: ${JSON.stringify(one)}\n\n`);
        response.end();
      },
    });
    const { connection, changed } = await connectTo(server, { ...wants, settings: { era: "legacy" } });
    await connection.listPage({ method: "things/list", field: "things", cursor: undefined }, asking);
    await turns();
    expect(changed).toHaveBeenCalledTimes(times);
  });

  it("can be a question, which is asked without credentials, and its answer goes back", async () => {
    const secret = "s3cret-of-the-server";
    const question = { mode: "form", message: `Is it ${secret}?`, requestedSchema: { type: "object", properties: {} } };
    const server = await scripted({
      ...legacy(),
      "things/list": (message, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: "q1", method: "elicitation/create", params: question })}\n\n`);
        void until(() => server.messages().some(({ id }) => id === "q1")).then(() =>
          response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { things: [] } })}\n\n`),
        );
      },
    });
    const onQuestion = vi.fn(async () => ({ action: "accept" as const, content: { sure: true } }));
    const { connection } = await connectTo(server, {
      headers: { "x-key": secret },
      settings: { era: "legacy" },
      events: { onQuestion },
    });
    await connection.listPage({ method: "things/list", field: "things", cursor: undefined }, asking);
    expect(onQuestion.mock.calls).toEqual([[expect.objectContaining({ message: `Is it ${connection.scrub.text(secret)}?` })]]);
    expect(server.messages().find(({ id }) => id === "q1")).toEqual({
      jsonrpc: "2.0",
      id: "q1",
      result: { action: "accept", content: { sure: true } },
    });
  });
});

describe("the stream of changes of a newer server", () => {
  const all = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } };

  function acknowledge(message: Message, response: ServerResponse, isEnded: boolean): void {
    const params = { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": message.id } };
    const acknowledged = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(acknowledged)}\n\n`);
    if (isEnded) response.end();
  }

  it.each([
    [{}, { toolsListChanged: true }],
    [
      { prompts: true, resources: true },
      { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
    ],
  ])("is asked for with what is wanted (%j), and the lists are read again once it is there", async (wants, notifications) => {
    const server = await scripted({
      ...modern({ capabilities: all }),
      "subscriptions/listen": (message, response) => acknowledge(message, response, false),
    });
    const { changed } = await connectTo(server, wants);
    await until(() => changed.mock.calls.length > 0);
    const { params } = server.messages().find(({ method }) => method === "subscriptions/listen")!;
    expect(params!["notifications"]).toEqual(notifications);
  });

  it("is not asked for where the server tells of no changes", async () => {
    const server = await scripted(modern({ capabilities: { tools: {} } }));
    const { connection } = await connectTo(server);
    await turns();
    expect([connection.era, connection.tellsChanges, server.steps()]).toEqual(["modern", false, ["POST server/discover"]]);
  });

  it("is asked for again with growing pauses where it ends or is refused, until the connection is closed", async () => {
    const pauses: number[] = [];
    let asked = 0;
    const real = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, ms: number) => {
      // Connections of other tests pause, too. This one does so once after each time that it asked, each time for twice as long.
      if (ms !== 1_000 * 2 ** pauses.length || pauses.length >= asked) return real(act, ms);
      pauses.push(ms / 1_000);
      return real(act, 0);
    }) as typeof setTimeout);
    afterThisTest(() => spy.mockRestore());
    const server = await scripted({
      ...modern({ capabilities: all }),
      "subscriptions/listen": (message, response) => {
        asked += 1;
        if (asked % 2 === 0) return void response.writeHead(500).end();
        acknowledge(message, response, asked < 7);
      },
    });
    const { connection, changed } = await connectTo(server);
    await until(() => asked === 7 && changed.mock.calls.length === 7);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32]);
    await connection.close();
    await turns();
    expect(asked).toBe(7);
    expect(changed).toHaveBeenCalledTimes(7);
  });
});

describe("a connection that is not made", () => {
  it("is not tried where it is no longer wanted", async () => {
    const server = await scripted(legacy());
    const controller = new AbortController();
    controller.abort(new Error("Enough."));
    await expect(connectTo(server, { settings: { signal: controller.signal } })).rejects.toThrow("Enough.");
    expect(server.seen).toEqual([]);
  });

  it("ends with its signal, and leaves nothing on it", async () => {
    const server = await scripted({ "server/discover": () => undefined });
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const made = connectTo(server, { settings: { signal: controller.signal } });
    const ended = expect(made).rejects.toThrow();
    await until(() => server.seen.length === 1);
    controller.abort(new Error("Enough."));
    await ended;
    const own = add.mock.calls
      .filter(([, , options]) => (options as { once?: boolean } | undefined)?.once === true)
      .map(([, listener]) => listener);
    expect(remove.mock.calls).toContainEqual(["abort", own[0]]);
  });

  it("says why without its credentials", async () => {
    const secret = "s3cret-of-the-server";
    const server = await scripted({
      initialize: ({ id }, response) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: `Not with ${secret}.` } })),
    });
    const failed = await connectTo(server, { headers: { "x-key": secret }, settings: { era: "legacy" } }).catch(
      (error: unknown) => error as Error,
    );
    expect((failed as Error).message).toMatch(/^Not with /);
    expect((failed as Error).message).not.toContain(secret);
  });
});
