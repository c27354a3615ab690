import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { answer, handshake, relayTo, type Relayed, result, type Sent, session, shown } from "./_scripted.ts";

const listChanges = ["tools", "prompts", "resources"].map((list) => ({ jsonrpc: "2.0", method: `notifications/${list}/list_changed` }));

/** An endpoint with sessions "s1", "s2" …, that forgets the one it has when it is told to. */
function forgetful(answerTo: (request: Sent) => ReturnType<typeof answer> | undefined = () => undefined): Relayed & { forget(): void } {
  let opened = 0;
  let current: string | undefined;
  const relayed = relayTo((request) => {
    if (request.method === "DELETE") return answer(204);
    const own = answerTo(request);
    if (own !== undefined) return own;
    if (request.message.method === "initialize") return session(request, (current = `s${++opened}`));
    if (request.headers["mcp-session-id"] !== current) return answer(404, JSON.stringify({ detail: "There is no such session." }));
    if (request.method === "GET") return answer(405);
    return request.message.id === undefined ? answer(202) : result(request);
  });
  return Object.assign(relayed, { forget: () => (current = undefined) });
}

describe("the headers of a legacy client", () => {
  const post = (more: object, body: object): string =>
    `POST ${JSON.stringify({ accept: "application/json, text/event-stream", "content-type": "application/json", ...more })} ${JSON.stringify({ jsonrpc: "2.0", ...body })}`;

  it.each([
    ["before the handshake", undefined, {}],
    ["after a handshake that opened no session", (request: Sent) => session(request), { "mcp-protocol-version": "2025-06-18" }],
    ["after a handshake that was refused", (request: Sent) => ({ ...session(request, "s1"), status: 500 }), {}],
    [
      "after a handshake that was answered with an error",
      ({ message: { id } }: Sent) =>
        answer(200, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: "No." } }), { "mcp-session-id": "s1" }),
      {},
    ],
    [
      "after a handshake that was answered without a version",
      (request: Sent) => result(request, { protocolVersion: 7 }, { "mcp-session-id": "s1" }),
      {},
    ],
  ])("%s", async (_when, opens, more) => {
    const relayed = relayTo((request) => (request.message.method === "initialize" ? opens!(request) : result(request)));
    if (opens !== undefined) await relayed.ask(1, "initialize", handshake);
    await relayed.ask(2, "ping");
    expect(shown(relayed.sent).at(-1)).toBe(post(more, { id: 2, method: "ping", params: {} }));
    relayed.input.end();
    await relayed.done;
    // There is no session that could be ended.
    expect(relayed.sent.every(({ method }) => method === "POST")).toBe(true);
  });

  it("after a handshake whose answer is no JSON, which the client hears", async () => {
    const relayed = relayTo((request) => (request.message.method === "initialize" ? answer(200, "OK") : result(request)));
    relayed.write({ id: 1, method: "initialize", params: handshake });
    await until(() => relayed.lines.length === 2);
    expect(relayed.lines[0]).toBe("OK");
    expect(JSON.parse(relayed.lines[1]!)).toMatchObject({ id: 1, error: { code: -32603, message: expect.stringContaining("JSON") } });
  });
});

describe("a session that the server has forgotten", () => {
  it("is opened again as it was opened, and the client is told what it cannot know", async () => {
    const relayed = forgetful();
    await relayed.ask(1, "initialize", handshake);
    relayed.forget();
    await relayed.ask(2, "tools/list");
    expect(relayed.sent.map(({ headers, body }) => [headers["mcp-session-id"], JSON.parse(body!)])).toEqual([
      [undefined, { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake }],
      ["s1", { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }],
      [undefined, { jsonrpc: "2.0", id: "relay-initialize", method: "initialize", params: handshake }],
      // The client has not said that it is ready, so nobody does.
      ["s2", { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }],
    ]);
    expect(relayed.messages().slice(1)).toEqual([...listChanges, { jsonrpc: "2.0", id: 2, result: {} }]);
    expect(relayed.notices).toEqual(["The session was opened again."]);
  });

  it("is opened again as often as it is forgotten", async () => {
    const relayed = forgetful();
    await relayed.ask(1, "initialize", handshake);
    for (const id of [2, 3]) {
      relayed.forget();
      expect(await relayed.ask(id, "ping")).toEqual({ jsonrpc: "2.0", id, result: {} });
    }
    expect(relayed.sent.map(({ headers, message }) => `${message.method} ${headers["mcp-session-id"] ?? "-"}`)).toEqual([
      "initialize -",
      "ping s1",
      "initialize -",
      "ping s2",
      "ping s2",
      "initialize -",
      "ping s3",
    ]);
  });

  it("is opened again also for a notification and for a response, each sent once more", async () => {
    const relayed = forgetful();
    await relayed.ask(1, "initialize", handshake);
    relayed.forget();
    relayed.write({ method: "notifications/roots/list_changed" });
    await until(() => relayed.sent.some(({ headers }) => headers["mcp-session-id"] === "s2"));
    relayed.forget();
    relayed.write({ id: "asked", result: { roots: [] } });
    await until(() => relayed.sent.some(({ headers }) => headers["mcp-session-id"] === "s3"));
    const last = relayed.sent.filter(({ headers }) => /s[23]/.test(headers["mcp-session-id"] ?? "")).map(({ body }) => JSON.parse(body!));
    expect(last).toEqual([
      { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
      { jsonrpc: "2.0", id: "asked", result: { roots: [] } },
      { jsonrpc: "2.0", id: "asked", result: { roots: [] } },
    ]);
  });

  it("is opened once for requests that are sent together, and those wait until it has its settings", async () => {
    const held: (() => void)[] = [];
    const hold = (): Promise<void> => new Promise((resolve) => held.push(resolve));
    let isForgotten = false;
    const relayed = relayTo(async (request) => {
      const { method } = request.message;
      if (request.method === "DELETE") return answer(204);
      if (method === "initialize") return session(request, isForgotten ? "s2" : "s1");
      if (isForgotten && request.headers["mcp-session-id"] === "s1") {
        if (request.message.id === 4) await hold();
        return answer(404);
      }
      if (isForgotten && method === "logging/setLevel") await hold();
      return result(request);
    });
    await relayed.ask(1, "initialize", handshake);
    await relayed.ask(2, "logging/setLevel", { level: "debug" });
    isForgotten = true;
    for (const id of [3, 4]) relayed.write({ id, method: "ping" });
    // The first has begun to open the session, which still lacks its level, when the second hears that it is gone.
    await until(() => held.length === 2);
    held[0]!();
    await turns();
    relayed.write({ id: 5, method: "ping" });
    await turns();
    const inSecond = (): readonly unknown[] =>
      relayed.sent.filter(({ headers }) => headers["mcp-session-id"] === "s2").map(({ message }) => message.id);
    expect(inSecond()).toEqual([2]);
    held[1]!();
    await until(() => relayed.messages().filter(({ result: given }) => given !== undefined).length === 5);
    expect(inSecond().toSorted()).toEqual([2, 3, 4, 5]);
    expect(relayed.sent.filter(({ message }) => message.method === "initialize")).toHaveLength(2);
  });

  it("that the server does not open again is an error, and is tried again with the next message", async () => {
    let isClosed = true;
    const relayed = forgetful(({ message }) => (message.id === "relay-initialize" && isClosed ? answer(503) : undefined));
    await relayed.ask(1, "initialize", handshake);
    relayed.forget();
    expect((await relayed.ask(2, "ping")).error).toEqual({
      code: -32603,
      message: "The server refused to open the session again (status 503). Restart this client.",
    });
    relayed.write({ method: "notifications/initialized" });
    await until(() => relayed.notices.length > 0);
    expect(relayed.notices).toEqual([
      "A message of the client was not delivered: The server refused to open the session again (status 503). Restart this client.",
    ]);
    isClosed = false;
    expect(await relayed.ask(3, "ping")).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
  });

  it("is not given settings that the server refused, and keeps those that it refused to end", async () => {
    let isRefusing = false;
    const relayed = forgetful(({ message: { method, id } }) =>
      isRefusing && /setLevel|subscribe/.test(method ?? "")
        ? answer(400, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: "No." } }))
        : undefined,
    );
    await relayed.ask(1, "initialize", handshake);
    await relayed.ask(2, "resources/subscribe", { uri: "a://kept" });
    isRefusing = true;
    await relayed.ask(3, "logging/setLevel", { level: "debug" });
    await relayed.ask(4, "resources/subscribe", { uri: "a://refused" });
    await relayed.ask(5, "resources/unsubscribe", { uri: "a://kept" });
    isRefusing = false;
    relayed.forget();
    await relayed.ask(6, "tools/call", { name: "x", uri: "a://other" });
    await relayed.ask(7, "resources/read", { uri: "a://kept" });
    relayed.forget();
    await relayed.ask(8, "ping");
    const inThird = relayed.sent.filter(({ headers }) => headers["mcp-session-id"] === "s3").map(({ message }) => message);
    expect(inThird).toEqual([
      { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "a://kept" } },
      { jsonrpc: "2.0", id: 8, method: "ping", params: {} },
    ]);
  });
});

it("a server without sessions that answers 404 is not asked for a new one", async () => {
  const relayed = relayTo((request) => (request.message.method === "initialize" ? session(request) : answer(404)));
  await relayed.ask(1, "initialize", handshake);
  expect((await relayed.ask(2, "ping")).error).toEqual({ code: -32603, message: "The server answered with status 404." });
  expect(relayed.sent.map(({ message }) => message.method)).toEqual(["initialize", "ping"]);
  expect(relayed.lines).toHaveLength(2);
});
