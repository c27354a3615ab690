import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { answer, event, events, handshake, recordPauses, relayTo, type Relayed, result, type Sent, session } from "./_scripted.ts";

type Played = ReturnType<typeof answer> | Error;

/** A relay whose client has said that it is ready. The server answers the n-th time it is listened to with `play(n)`. */
async function listening(play: (nth: number, request: Sent) => Played, sessionId?: string): Promise<Relayed> {
  let listened = 0;
  const relayed = relayTo((request) => {
    if (request.method === "DELETE") return answer(204);
    if (request.method === "GET") {
      const played = play(++listened, request);
      if (played instanceof Error) throw played;
      return played;
    }
    if (request.message.method === "initialize") return session(request, sessionId);
    return request.message.id === undefined ? answer(202) : result(request);
  });
  await relayed.ask(1, "initialize", handshake);
  relayed.write({ method: "notifications/initialized" });
  await until(() => listened > 0);
  return relayed;
}

const told = (data: string): string => event({ method: "notifications/message", params: { level: "info", data } });
const dataOf = (relayed: Relayed): readonly unknown[] => relayed.messages().flatMap(({ params }) => params?.["data"] ?? []);
const gets = (relayed: Relayed): number => relayed.sent.filter(({ method }) => method === "GET").length;

it("a client hears what the server says by itself, without events that hold nothing", async () => {
  const relayed = await listening((_nth, request) => events(request, ["id: 1\ndata:\n\n", told("one"), told("two")], "stays open"));
  await until(() => dataOf(relayed).length === 2);
  expect(relayed.lines.slice(1)).toEqual(["one", "two"].map((data) => told(data).slice(6, -2)));
  expect(relayed.notices).toEqual([]);
});

it("a stream that ends is opened again after a pause, and nothing is said of it", async () => {
  const pauses = recordPauses();
  const relayed = await listening((nth, request) => events(request, [told(`${nth}`)], nth < 4 ? "ends" : "stays open"));
  await until(() => dataOf(relayed).length === 4);
  expect(dataOf(relayed)).toEqual(["1", "2", "3", "4"]);
  expect(pauses).toEqual([200, 200, 200]);
  expect(relayed.notices).toEqual([]);
  expect(relayed.lines).toHaveLength(5);
});

it("a server that is away is tried ever more rarely, and the client reads its lists again when it is back", async () => {
  const pauses = recordPauses();
  const relayed = await listening((nth, request) => {
    if (nth === 1 || nth === 11) return events(request, [], "ends");
    if (nth < 10) return new Error("Nobody is there.");
    return events(request, [told(`${nth}`)], nth === 10 ? "breaks off" : "stays open");
  });
  await until(() => dataOf(relayed).length === 2);
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 200, 200]);
  expect(relayed.notices).toEqual([
    "The connection to the server was lost, and is tried again: Nobody is there.",
    "The server answers again.",
    "The connection to the server was lost, and is tried again: The connection was reset.",
    "The server answers again.",
  ]);
  const changes = ["tools", "prompts", "resources"].map((list) => `notifications/${list}/list_changed`);
  expect(relayed.messages().map(({ method }) => method)).toEqual([
    undefined,
    ...changes,
    "notifications/message",
    ...changes,
    "notifications/message",
  ]);
});

it.each([
  ["that has none (405) is not asked again", answer(405), 1],
  ["that refuses (500) is asked again", answer(500), 4],
  ["that answers with something else is asked again", answer(200, told("no stream")), 4],
  ["that knows no sessions and answers 404 is asked again", answer(404), 4],
  ["whose refusal looks like a stream is asked again", { ...answer(500, "", { "content-type": "text/event-stream" }), stream: notRead }, 4],
])("a server %s", async (_name, played, times) => {
  const pauses = recordPauses();
  const relayed = await listening((nth) => (nth < 4 ? played : answer(405)));
  if (times > 1) await until(() => gets(relayed) === times);
  await turns();
  expect(gets(relayed)).toBe(times);
  expect(pauses).toEqual([200, 400, 800].slice(0, times - 1));
  expect(relayed.sent.filter(({ message }) => message.method === "initialize")).toHaveLength(1);
  expect(relayed.lines).toHaveLength(1);
  expect(relayed.notices).toEqual([]);
});

function notRead(): never {
  throw new Error("This was not to be read.");
}

it("a session that is gone while nobody asks is opened again by who listens", async () => {
  recordPauses();
  const relayed = await listening((nth, request) => (nth === 1 ? answer(404) : events(request, [told("here")], "stays open")), "s1");
  await until(() => dataOf(relayed).length === 1);
  expect(relayed.sent.map(({ method, message }) => `${method} ${message.method ?? ""}`)).toEqual([
    "POST initialize",
    "POST notifications/initialized",
    "GET ",
    "POST initialize",
    "POST notifications/initialized",
    "GET ",
  ]);
  expect(relayed.notices).toEqual(["The session was opened again."]);
});

it("a client that says twice that it is ready hears everything once", async () => {
  const relayed = await listening((_nth, request) => events(request, [told("once")], "stays open"));
  relayed.write({ method: "notifications/initialized" });
  await until(() => relayed.sent.filter(({ message }) => message.method === "notifications/initialized").length === 2);
  await turns();
  expect(gets(relayed)).toBe(1);
  expect(dataOf(relayed)).toEqual(["once"]);
});

it("nobody listens for a client that has not said it is ready, or that has no session", async () => {
  const relayed = relayTo((request) => {
    if (request.message.method === "initialize") return session(request);
    return request.message.id === undefined ? answer(202) : result(request);
  });
  relayed.write({ method: "notifications/initialized" });
  await until(() => relayed.sent.length === 1);
  await turns();
  await relayed.ask(1, "initialize", handshake);
  relayed.write({ method: "notifications/roots/list_changed" });
  await relayed.ask(2, "ping");
  await turns();
  expect(relayed.sent.map(({ message }) => message.method)).toEqual([
    "notifications/initialized",
    "initialize",
    "notifications/roots/list_changed",
    "ping",
  ]);
});

it("the end of the relay ends the stream, and nothing is said of it", async () => {
  const relayed = await listening((_nth, request) => events(request, [told("here")], "stays open"));
  await until(() => dataOf(relayed).length === 1);
  const { signal } = relayed.sent.find(({ method }) => method === "GET")!;
  expect(signal.aborted).toBe(false);
  relayed.input.end();
  await relayed.done;
  expect(signal.aborted).toBe(true);
  await turns();
  expect(gets(relayed)).toBe(1);
  expect(relayed.notices).toEqual([]);
});
