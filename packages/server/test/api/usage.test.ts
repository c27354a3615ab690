import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer, serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

it("usage counts calls, errors and durations of each tool in stretches of time", async () => {
  await using server = await openTestServer();
  const from = Date.now() - 10_000;
  for (let time = 0; time < 4; time++) await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });
  await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
  const { secret: bot } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
  const { secret: reader } = await server.rack.keys.create({ agent: "reader", roles: ["subscriber"], by: "test" });
  await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } }, key: bot });
  const usage = async (
    key: string,
    query = "",
  ): Promise<{ tools: { tool: string; calls: number; buckets: { at: number; calls: number }[] }[] }> =>
    (await (await server.request("GET", `/api/v1/usage?from=${from}&bucketMs=5000${query}`, { key })).json()) as never;

  const all = await usage(reader);
  expect(all).toMatchObject({
    isComplete: true,
    tools: [
      { tool: "echo", calls: 5, errors: 0 },
      { tool: "fail", calls: 1, errors: 1 },
    ],
    total: { calls: 6, errors: 1, refused: 0, invalid: 0, denied: 0 },
  });
  for (const { calls, buckets } of all.tools) expect(buckets.reduce((sum, bucket) => sum + bucket.calls, 0)).toBe(calls);
  for (const { at } of all.tools[0]!.buckets) expect((at - from) % 5_000).toBe(0);
  expect((await usage(reader, "&tool=fail")).tools.map(({ tool }) => tool)).toEqual(["fail"]);
  expect((await usage(bot)).tools).toMatchObject([{ tool: "echo", calls: 1 }]);
  expect((await server.request("GET", `/api/v1/usage?from=0&bucketMs=1000`, { key: reader })).status).toBe(400);
});

// row: F28
it("usage tells the error rate of each tool and when it was last used, as the log of calls has it", async () => {
  await using server = await openTestServer();
  const call = (input: object): Promise<Response> => server.request("POST", "/api/v1/tools/echo/call", { body: { input } });
  for (const input of [{ text: "a" }, { text: "b" }, { text: "c" }, { wrong: 1 }]) await call(input);
  const { tools } = (await (await server.request("GET", "/api/v1/usage")).json()) as {
    tools: { tool: string; errors: number; invalid: number; errorRate: number; lastUsed: string; buckets: { errorRate?: number }[] }[];
  };
  const { calls } = (await (await server.request("GET", "/api/v1/calls?tool=echo")).json()) as {
    calls: { ok: boolean; endedAt?: string; startedAt: number; durationMs: number }[];
  };
  expect(calls).toHaveLength(4);
  const [echo] = tools;
  expect(echo).toMatchObject({ tool: "echo", calls: 4, errors: 0, errorRate: 0, invalid: 1 });
  expect(echo!.errors + echo!.invalid).toBe(calls.filter(({ ok }) => !ok).length);
  const lastStart = Math.max(...calls.map(({ startedAt }) => new Date(startedAt).getTime()));
  expect(new Date(echo!.lastUsed).toISOString()).toBe(echo!.lastUsed);
  expect(Date.parse(echo!.lastUsed)).toBeGreaterThanOrEqual(lastStart);
  expect(Date.parse(echo!.lastUsed)).toBeLessThanOrEqual(Date.now());
});

it("usage leaves out the time that a call waited for a person, which the log of calls tells", async () => {
  const pay = defineTool({ name: "pay", description: "Pays.", inputSchema: { type: "object" }, handler: () => "paid" });
  const config = { store: { memory: true }, policy: { tools: { ask: ["pay"] } }, approvals: { waitMs: 20_000 } } as const;
  const { as } = serverOver(await openTestRack({ tools: [pay], config }));
  const [agent, boss] = [await as("helper"), await as("boss", "curator")];
  const paid = agent("POST", "/tools/pay/call", { input: {} });
  await until(async () => (await boss("GET", "/approvals")).body.waiting.length > 0);
  const [{ id, digest }] = (await boss("GET", "/approvals")).body.waiting;
  await boss("POST", `/approvals/${id}/decide`, { approved: true, digest });
  const { meta } = (await paid).body;
  const [call] = (await boss("GET", "/calls?tool=pay")).body.calls;
  expect(call.waitedMs).toBeGreaterThan(0);
  expect([meta.durationMs, meta.waitedMs].map(Math.round)).toEqual([call.durationMs, call.waitedMs].map(Math.round));
  const worked = call.durationMs - call.waitedMs;
  const [{ p95Ms }] = (await agent("GET", "/usage?tool=pay")).body.tools;
  expect(Math.abs(p95Ms - worked)).toBeLessThanOrEqual(0.5 + worked / 10);
});
