import { expect, it } from "vitest";
import { until } from "@toolrack/testkit/until";
import { _meta, answer, event, events, recordPauses, relayTo, result, type Sent, shown } from "./_scripted.ts";

it("a parameter is repeated in a header also if its tool is on a later page of the list", async () => {
  const routed = { name: "routed", inputSchema: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } } };
  const plain = { name: "plain", inputSchema: { type: "object", properties: {} } };
  const relayed = relayTo((request) => {
    const { method, params, id } = request.message;
    if (method === "tools/list")
      return result(request, params?.["cursor"] === "page 2" ? { tools: [routed] } : { tools: [plain], nextCursor: "page 2" });
    if (request.headers["mcp-param-city"] === "Bern") return result(request, { content: [] });
    return answer(400, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32020, message: "The header is missing." } }));
  });
  const call = { name: "routed", arguments: { city: "Bern" }, _meta };
  expect(await relayed.ask(1, "tools/call", call)).toMatchObject({ result: { content: [] } });
  const plainHeaders = `"accept":"application/json, text/event-stream","content-type":"application/json","mcp-protocol-version":"2026-07-28"`;
  const calls = `POST {${plainHeaders},"mcp-method":"tools/call","mcp-name":"routed"`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
  const listing = (more: object): string =>
    `POST {${plainHeaders},"mcp-method":"tools/list"} ${JSON.stringify({ jsonrpc: "2.0", id: "relay-tools", method: "tools/list", params: { _meta, ...more } })}`;
  expect(shown(relayed.sent)).toEqual([
    `${calls}} ${body}`,
    listing({}),
    listing({ cursor: "page 2" }),
    `${calls},"mcp-param-city":"Bern"} ${body}`,
  ]);
  // Only a call has them.
  await relayed.ask(2, "prompts/get", call);
  expect(Object.keys(relayed.sent.at(-1)!.headers)).not.toContain("mcp-param-city");
});

const mismatch = ({ message: { id } }: Sent, status = 400): ReturnType<typeof answer> =>
  answer(status, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32020, message: "The header is missing." } }));

it.each([
  ["of another request", "prompts/get", (request: Sent) => mismatch(request), "The header is missing."],
  ["with another status", "tools/call", (request: Sent) => mismatch(request, 500), "The header is missing."],
  ["for another reason", "tools/call", () => answer(400, JSON.stringify({ error: { code: -32602, message: "No." } })), "No."],
  ["without a reason", "tools/call", () => answer(400, "Bad request"), "The server answered with status 400."],
  ["without a code", "tools/call", () => answer(400, JSON.stringify({ detail: "Not here." })), "Not here."],
  ["that is nothing", "tools/call", () => answer(400, "null"), "The server answered with status 400."],
])("a refusal %s is passed on, and no list is read for it", async (_name, method, play, message) => {
  const relayed = relayTo(play);
  expect((await relayed.ask(1, method, { name: "routed", _meta })).error).toMatchObject({ message });
  expect(relayed.sent).toHaveLength(1);
});

it.each([
  ["is refused", (request: Sent) => mismatch(request)],
  ["is no list", (request: Sent) => result(request, { tools: "none" })],
  ["is no result", (request: Sent) => answer(200, JSON.stringify({ id: request.message.id, result: 7 }))],
])("a call whose list of tools %s is sent a second time as it is, and its refusal is passed on", async (_name, list) => {
  const relayed = relayTo((request) => (request.message.method === "tools/list" ? list(request) : mismatch(request)));
  expect((await relayed.ask(1, "tools/call", { name: "routed", arguments: { city: "Bern" }, _meta })).error).toEqual({
    code: -32020,
    message: "The header is missing.",
  });
  expect(relayed.sent.map(({ message }) => message.method)).toEqual(["tools/call", "tools/list", "tools/call"]);
});

it("tools of a list that cannot be read are left out", async () => {
  const inputSchema = { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } };
  const tools = [null, { name: "routed", inputSchema }, { inputSchema }, { name: "routed" }, { name: "routed", inputSchema: "none" }];
  const relayed = relayTo((request) => {
    if (request.message.method === "tools/list") return result(request, { tools });
    return request.headers["mcp-param-city"] === "Bern" ? result(request) : mismatch(request);
  });
  expect((await relayed.ask(1, "tools/call", { name: "routed", arguments: { city: "Bern" }, _meta })).result).toEqual({});
});

it("arguments are repeated in headers as texts; what is no text, number or truth value is not", async () => {
  const mark = (header: string): object => ({ "x-mcp-header": header });
  const inputSchema = {
    type: "object",
    properties: {
      place: { type: "object", properties: { city: mark("City"), zip: mark("Zip") }, ...mark("Place") },
      isFast: mark("Fast"),
      none: mark("None"),
      toString: mark("Own"),
      absent: { type: "object", properties: { inner: mark("Inner") } },
    },
  };
  const relayed = relayTo((request) => {
    if (request.message.method === "tools/list") return result(request, { tools: [{ name: "routed", inputSchema }] });
    return "mcp-param-city" in request.headers ? result(request) : mismatch(request);
  });
  const input = { place: { city: "Z\u00fcrich", zip: 8000 }, isFast: false, none: null, absent: "text" };
  await relayed.ask(1, "tools/call", { name: "routed", arguments: input, _meta });
  const headers = Object.entries(relayed.sent.at(-1)!.headers).filter(([name]) => name.startsWith("mcp-param-"));
  expect(Object.fromEntries(headers)).toEqual({
    "mcp-param-city": "=?base64?WsO8cmljaA==?=",
    "mcp-param-zip": "8000",
    "mcp-param-fast": "false",
  });
});

it.each([
  ["a discovery without a version", "server/discover", {}, { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" }],
  [
    "a request with a version that is no text",
    "tools/call",
    { name: 7, _meta: { "io.modelcontextprotocol/protocolVersion": 7 } },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
  ],
  [
    "a request with another version",
    "tools/list",
    { _meta: { "io.modelcontextprotocol/protocolVersion": "2027-01-01" } },
    { "mcp-protocol-version": "2027-01-01", "mcp-method": "tools/list" },
  ],
  ["a request without a version", "tools/list", { _meta: {} }, {}],
  ["a request whose version is nowhere", "tools/list", { _meta: "none" }, {}],
])("the headers of %s", async (_name, method, params, headers) => {
  const relayed = relayTo((request) => result(request));
  await relayed.ask(1, method, params);
  expect(relayed.sent[0]!.headers).toEqual({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...headers,
  });
});

it("a client that is connected again is told only of the lists that it subscribed to", async () => {
  const acknowledged = event({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { toolsListChanged: true, promptsListChanged: false } },
  });
  const last = event({ method: "notifications/message", params: { level: "info", data: "after the lists" } });
  const relayed = relayTo((request) =>
    relayed.sent.length === 1 ? events(request, [acknowledged], "breaks off") : events(request, [acknowledged, last], "stays open"),
  );
  relayed.write({ id: 1, method: "subscriptions/listen", params: { notifications: { toolsListChanged: true }, _meta } });
  await until(() => relayed.lines.some((line) => line.includes("after the lists")));
  expect(relayed.messages()).toMatchObject([
    { method: "notifications/subscriptions/acknowledged" },
    { method: "notifications/tools/list_changed", params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } } },
    { method: "notifications/message" },
  ]);
});

const listen = (notifications: object): object => ({ id: 1, method: "subscriptions/listen", params: { notifications, _meta } });
const acknowledging = (notifications: unknown): string =>
  event({ method: "notifications/subscriptions/acknowledged", params: { notifications } });

it("a subscription whose server goes away is made again, ever more rarely, and each list is read again", async () => {
  const pauses = recordPauses();
  const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const relayed = relayTo((request) => {
    const { length: nth } = relayed.sent;
    if (nth === 3 || nth === 4) throw new Error("Nobody is there.");
    if (nth === 5) return answer(503, "Later.");
    return events(request, ["data:\n\n", acknowledging(wanted)], nth < 2 ? "breaks off" : nth < 7 ? "ends" : "stays open");
  });
  relayed.write(listen(wanted));
  await until(() => relayed.lines.length === 1 + 3 * 3);
  const changes = ["tools", "prompts", "resources"].map((list) => ({
    jsonrpc: "2.0",
    method: `notifications/${list}/list_changed`,
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } },
  }));
  expect(relayed.messages()).toEqual([JSON.parse(acknowledging(wanted).slice(6)), ...changes, ...changes, ...changes]);
  expect(pauses).toEqual([200, 200, 400, 800, 1_600, 200]);
});

it("a subscription that the server does not take is refused at once", async () => {
  for (const play of [() => answer(403, JSON.stringify({ detail: "Not you." })), () => Promise.reject(new Error("Not you."))]) {
    const relayed = relayTo(play);
    relayed.write(listen({}));
    await until(() => relayed.lines.length === 1);
    expect(relayed.messages()).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Not you." } }]);
    expect(relayed.sent).toHaveLength(1);
  }
});

it("only an acknowledgement is taken for one", async () => {
  recordPauses();
  const quoting = event({
    method: "notifications/message",
    params: { notifications: {}, data: "notifications/subscriptions/acknowledged" },
  });
  const others = [quoting, acknowledging("none"), acknowledging(undefined), event({ method: "notifications/tools/list_changed" })];
  const relayed = relayTo((request) => {
    if (relayed.sent.length === 1) return events(request, [acknowledging({ toolsListChanged: true })], "ends");
    return events(request, others, "stays open");
  });
  relayed.write(listen({ toolsListChanged: true }));
  await until(() => relayed.lines.length === 5);
  expect(relayed.lines.slice(1)).toEqual(others.map((text) => text.slice(6, -2)));
});
