import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { answer, event, events, handshake, recordPauses, relayTo, type Relayed, result, session } from "./_scripted.ts";

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

/** A call whose stream comes in these pieces of bytes, and what is asked to take it up. */
async function takenUp(pieces: readonly Uint8Array[], again: (nth: number) => ReturnType<typeof answer>): Promise<Relayed> {
  let taken = 0;
  const relayed = relayTo((request) => {
    if (request.message.method === "initialize") return session(request, "first");
    if (request.method === "DELETE") return answer(204);
    if (request.method === "GET") return again(++taken);
    const left = [...pieces];
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => (left.length > 0 ? controller.enqueue(left.shift()!) : controller.close()),
    });
    return { ...answer(200, "", { "content-type": "text/event-stream" }), stream: () => stream };
  });
  await relayed.ask(1, "initialize", handshake);
  await relayed.ask(2, "tools/call", { name: "slow", arguments: {} });
  return relayed;
}

const streamOf = (text: string): ReturnType<typeof answer> => ({
  ...answer(200, "", { "content-type": "text/event-stream" }),
  stream: () => new Blob([text]).stream() as ReadableStream<Uint8Array>,
});

it.each([
  [
    "cut within its letters",
    [Buffer.from("id: \u00e9t").subarray(0, 5), Buffer.from("id: \u00e9t").subarray(5), Buffer.from("\n\n")],
    "\u00e9t",
  ],
  ["without a space, in a Windows line", [Buffer.from("id:e7\r\ndata:\r\n\r\n")], "e7"],
  ["of the last line that has ended", [Buffer.from("id: e1\n\nid: e2")], "e1"],
  ["that is not one of the data", [Buffer.from("id: e1\ndata:\nx-id: e2\n\n")], "e1"],
])("a stream is taken up after an id %s", async (_name, pieces, id) => {
  recordPauses();
  const relayed = await takenUp(pieces, () => streamOf(event({ id: 2, result: {} })));
  expect(relayed.messages().at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  expect(relayed.sent.filter(({ method }) => method === "GET").map(({ headers }) => headers)).toEqual([
    { accept: "text/event-stream", "last-event-id": id, "mcp-protocol-version": "2025-06-18", "mcp-session-id": "first" },
  ]);
});

it("a stream that ends again and again is taken up after pauses of at most 0.8 s", async () => {
  const pauses = recordPauses();
  const relayed = await takenUp([Buffer.from("id: e1\n\n")], (nth) => streamOf(nth < 5 ? "" : event({ id: 2, result: {} })));
  expect(pauses).toEqual([200, 400, 800, 800, 800]);
  expect(relayed.sent.filter(({ method }) => method === "GET")).toHaveLength(5);
});

it("a stream that the server does not continue is an error", async () => {
  recordPauses();
  const relayed = await takenUp([Buffer.from("id: e1\n\n")], () => answer(404, "{}"));
  expect(relayed.messages().at(-1)).toMatchObject({ id: 2, error: { message: expect.stringContaining("ended the connection") } });
  expect(relayed.sent.filter(({ method }) => method === "GET")).toHaveLength(1);
});

it("a refusal that comes as a stream is passed on with its reason", async () => {
  const refused = answer(503, JSON.stringify({ detail: "Come back later." }), { "content-type": "text/event-stream" });
  const relayed = relayTo((request) => (request.message.method === "initialize" ? session(request) : refused));
  await relayed.ask(1, "initialize", handshake);
  expect((await relayed.ask(2, "ping")).error).toEqual({ code: -32603, message: "Come back later." });
});
