import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

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
