import { defineTool } from "@toolrack/core";
import { type Answer, openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const gate = (): { readonly opened: Promise<void>; open(): void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

it("SD12: one caller may have so many requests under way, and others are not refused for it", async () => {
  const { opened, open } = gate();
  const wait = defineTool({ name: "wait", description: "Waits.", inputSchema: { type: "object", properties: {} }, handler: () => opened });
  await using server = await openTestServer({ tools: [wait], config: { server: { limits: { requestsPerCaller: 3 } } } });
  const { secret: greedy } = await server.rack.keys.create({ agent: "greedy", roles: [], by: "test" });
  const { secret: other } = await server.rack.keys.create({ agent: "other", roles: [], by: "test" });
  const waiting = Array.from({ length: 3 }, () => server.request("POST", "/api/v1/tools/wait/call", { body: {}, key: greedy }));
  await expect.poll(() => server.rack.running.list().length).toBe(3);
  const refused = await server.request("GET", "/api/v1/calls", { key: greedy });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS", detail: expect.stringContaining("3 requests under way") });
  const overMcp = await server.request("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" }, key: greedy });
  expect(overMcp.status).toBe(429);
  expect((await server.request("GET", "/api/v1/calls", { key: other })).status).toBe(200);
  open();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  expect((await server.request("GET", "/api/v1/calls", { key: greedy })).status).toBe(200);
});

it("SD8: of requests whose work takes long, few of one caller wait; the others are refused at once", async () => {
  await using server = await openTestServer({ limits: { heavyPerCaller: 4 } });
  const { secret: greedy } = await server.rack.keys.create({ agent: "greedy", roles: [], by: "test" });
  const { secret: other } = await server.rack.keys.create({ agent: "other", roles: [], by: "test" });
  const [hostile, usual] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => server.request("GET", "/api/v1/usage", { key: greedy }))),
    server.request("GET", "/api/v1/usage", { key: other }),
  ]);
  const statuses = hostile.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(46);
  expect(usual.status).toBe(200);
});

it("SD8: of large bodies few of one caller are held at a time, and small ones are not counted", async () => {
  await using server = await openTestServer({ limits: { heavyPerCaller: 4 } });
  const { secret: greedy } = await server.rack.keys.create({ agent: "greedy", roles: [], by: "test" });
  const { secret: other } = await server.rack.keys.create({ agent: "other", roles: [], by: "test" });
  const ask = (text: string, key: string): Promise<Response> =>
    server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text } }, key });
  const large = "x".repeat(70_000);
  const [hostile, small, usual] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => ask(large, greedy))),
    ask("hello", greedy),
    ask(large, other),
  ]);
  const statuses = hostile.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(16);
  expect(small.status).toBe(200);
  expect(usual.status).toBe(200);
});

it("TD9: of large bodies to hooks few of one address are worked on at a time, and small ones are not counted", async () => {
  await using server = await openTestServer({ limits: { heavyPerCaller: 4 } });
  const send = (from: string, characters: number): Promise<Response> => {
    const body = JSON.stringify({ text: "x".repeat(characters) });
    return server.request("POST", "/hooks/news", { key: "", from, body, headers: { "content-length": String(body.length) } });
  };
  const many = (from: string, characters: number): Promise<Response[]> =>
    Promise.all(Array.from({ length: 20 }, () => send(from, characters)));
  const [hostile, small, others] = await Promise.all([many("203.0.113.9", 70_000), many("203.0.113.9", 100), many("203.0.113.10", 100)]);
  const statuses = hostile.map(({ status }) => status);
  // Unsigned, so that what is worked on is refused with 401.
  expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(16);
  expect(new Set([...small, ...others].map(({ status }) => status))).toEqual(new Set([401]));
  expect((await send("203.0.113.10", 70_000)).status).toBe(401);
});

it("SD8: a body may have so many JSON values, over HTTP and over MCP", async () => {
  await using server = await openTestServer({ config: { server: { limits: { jsonValues: 100 } } } });
  const list = Array.from({ length: 101 }, () => 1);
  const refused = await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "a", list } } });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "JSON_INVALID", detail: expect.stringContaining("more than 100 values. Send fewer") });
  const overMcp = await server.request("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping", params: { list } } });
  expect(await overMcp.text()).toContain("more than 100 values");
});

it("SD12: no answer is larger than the limit, and the refusal says what to do", async () => {
  await using server = await openTestServer({ limits: { answerBytes: 100 } });
  const answer = await server.request("GET", "/api/v1/tools");
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    code: "ANSWER_TOO_LARGE",
    detail: expect.stringMatching(/larger than 100 bytes.*set limit/),
  });
});

it("SD8: usage is counted without reading a call, and without a role only one's own", async () => {
  await using server = await openTestServer();
  const { secret: bot } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
  const { secret: other } = await server.rack.keys.create({ agent: "other", roles: [], by: "test" });
  for (const key of [bot, other, other])
    await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } }, key });
  let read = 0;
  const { list } = server.rack.calls;
  Object.assign(server.rack.calls, { list: (...query: Parameters<typeof list>) => (read++, list(...query)) });
  const usage = (await (await server.request("GET", "/api/v1/usage", { key: bot })).json()) as object;
  expect(usage).toMatchObject({ isComplete: true, tools: [{ tool: "echo", calls: 1 }] });
  expect(read).toBe(0);
});

describe("TD11: a call with many values", () => {
  const manyKeys = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key${index}`, index]));
  const tools = ["take", "denied"].map((name) =>
    defineTool({ name, description: "Takes anything.", inputSchema: { type: "object" }, handler: () => "taken" }),
  );

  it("TD11: is recorded shortened where the tool is not there, not allowed, or not for so many, over HTTP, over MCP and as a job", async () => {
    await using server = await openTestServer({ tools, config: { policy: { tools: { deny: ["denied"] } } } });
    const overHttp = (tool: string, more: object = {}, headers = {}): Promise<Answer> =>
      server.ask("POST", `/tools/${tool}/call`, { input: manyKeys, ...more }, { headers });
    expect(await overHttp("nothing")).toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } });
    expect(await overHttp("denied")).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    const tooMany = { code: "INPUT_INVALID", detail: expect.stringContaining('"take" has more than 20,000 keys. Split it') };
    expect(await overHttp("take")).toMatchObject({ status: 400, body: tooMany });
    expect(await overHttp("take", {}, { "idempotency-key": "once" })).toMatchObject({ status: 400, body: tooMany });
    expect(await overHttp("take", { mode: "job" })).toMatchObject({ status: 400, body: tooMany });
    const params = { name: "take", arguments: manyKeys };
    const overMcp = await server.request("POST", "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers: { accept: "application/json, text/event-stream" },
    });
    expect(await overMcp.text()).toContain("has more than 20,000 keys");
    const { calls } = (await server.ask("GET", "/calls")).body as { calls: { input: object }[] };
    expect(calls).toHaveLength(5);
    for (const { input } of calls) expect(input).toMatchObject({ truncated: true, keys: 30_000, beginning: { key0: 0, key99: 99 } });
  });

  it("TD11: takes turns with those of other callers, and small calls do not wait for it", async () => {
    await using server = await openTestServer({ tools });
    const input = { list: Array.from({ length: 5_000 }, () => 1) };
    const done: string[] = [];
    const keys = new Map<string, string>();
    for (const agent of ["greedy", "ada", "ben"]) keys.set(agent, (await server.rack.keys.create({ agent, roles: [], by: "test" })).secret);
    const call = async (agent: string, body: object, name = agent): Promise<void> => {
      const { status } = await server.request("POST", "/api/v1/tools/take/call", { body, key: keys.get(agent)! });
      done.push(`${name} ${status}`);
    };
    const greedy = Array.from({ length: 10 }, (_, index) => call("greedy", { input }, `greedy ${index}`));
    await Promise.all([...greedy, call("ada", { input: {} }), call("ben", { input })]);
    for (const other of ["ada 200", "ben 200"]) expect(done.indexOf("greedy 9 200"), String(done)).toBeGreaterThan(done.indexOf(other));
  });
});
