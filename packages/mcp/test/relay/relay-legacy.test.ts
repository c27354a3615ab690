import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { answer, event, events, relayTo, type Relayed, result, type Sent } from "./_scripted.ts";

const session = (request: Sent, id: string): ReturnType<typeof answer> =>
  result(request, { protocolVersion: "2025-06-18", capabilities: {} }, { "mcp-session-id": id });

const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

it.each(["ends", "breaks off"] as const)("a stream that %s before the response is taken up after its last event", async (how) => {
  const progress = (id: string, done: number): string =>
    `id: ${id}\n${event({ method: "notifications/progress", params: { progressToken: 2, progress: done } })}`;
  const relayed: Relayed = relayTo((request) => {
    if (request.message.method === "initialize") return session(request, "first");
    if (request.method === "DELETE") return answer(204);
    if (request.method === "POST") return events(request, [progress("e1", 1), progress("e2", 2)], how);
    if (request.headers["last-event-id"] === "e2") return events(request, [progress("e3", 3)], how);
    return events(request, [event({ id: 2, result: { content: [] } })], "ends");
  });
  await relayed.ask(1, "initialize", handshake);
  expect(await relayed.ask(2, "tools/call", { name: "slow", arguments: {} })).toMatchObject({ result: { content: [] } });
  expect(relayed.messages().flatMap(({ params }) => params?.["progress"] ?? [])).toEqual([1, 2, 3]);
  const again = relayed.sent.filter(({ method }) => method === "GET").map(({ headers }) => headers);
  expect(again).toMatchObject([
    { accept: "text/event-stream", "mcp-session-id": "first", "last-event-id": "e2" },
    { accept: "text/event-stream", "mcp-session-id": "first", "last-event-id": "e3" },
  ]);
  expect(relayed.sent.filter(({ message }) => message.method === "tools/call")).toHaveLength(1);
});

it("a stream that breaks off before its first event has an id is an error, and the call is not sent again", async () => {
  const relayed = relayTo((request) => {
    if (request.message.method === "initialize") return session(request, "first");
    return request.method === "DELETE" ? answer(204) : events(request, [": begun\n\n"], "breaks off");
  });
  await relayed.ask(1, "initialize", handshake);
  expect(await relayed.ask(2, "tools/call", { name: "slow", arguments: {} })).toMatchObject({ error: { code: -32603 } });
  expect(relayed.sent.map(({ message }) => message.method)).toEqual(["initialize", "tools/call"]);
});

it("a message that cannot be read is an error, and the stream is not taken up", async () => {
  const relayed = relayTo((request) => {
    if (request.message.method === "initialize") return session(request, "first");
    return request.method === "DELETE" ? answer(204) : events(request, ["id: e1\ndata: {\n\n"], "ends");
  });
  await relayed.ask(1, "initialize", handshake);
  relayed.write({ id: 2, method: "tools/call", params: { name: "slow", arguments: {} } });
  await until(() => relayed.lines.some((line) => line.includes('"error"')));
  expect(JSON.parse(relayed.lines.at(-1)!)).toMatchObject({ id: 2, error: { code: -32603 } });
  expect(relayed.sent.map(({ message }) => message.method)).toEqual(["initialize", "tools/call"]);
});

it("a session that is opened again gets the log level and the subscriptions that the client still has", async () => {
  let isForgotten = false;
  const relayed = relayTo((request) => {
    if (request.method === "GET") return answer(405);
    if (request.method === "DELETE") return answer(204);
    if (request.message.method === "initialize") return session(request, isForgotten ? "second" : "first");
    if (isForgotten && request.headers["mcp-session-id"] !== "second") return answer(404);
    return request.message.id === undefined ? answer(202) : result(request);
  });
  await relayed.ask(1, "initialize", handshake);
  relayed.write({ method: "notifications/initialized" });
  await relayed.ask(2, "logging/setLevel", { level: "debug" });
  await relayed.ask(3, "logging/setLevel", { level: "error" });
  await relayed.ask(4, "resources/subscribe", { uri: "file:///kept" });
  await relayed.ask(5, "resources/subscribe", { uri: "file:///dropped" });
  await relayed.ask(6, "resources/unsubscribe", { uri: "file:///dropped" });
  isForgotten = true;
  await relayed.ask(7, "tools/list");
  const inSecond = relayed.sent.filter(({ headers }) => headers["mcp-session-id"] === "second").map(({ message }) => message);
  expect(inSecond).toMatchObject([
    { method: "notifications/initialized" },
    { method: "logging/setLevel", params: { level: "error" } },
    { method: "resources/subscribe", params: { uri: "file:///kept" } },
    { method: "tools/list" },
  ]);
  // The client is answered once, also for what was sent twice.
  expect(relayed.messages().flatMap(({ id }) => id ?? [])).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
