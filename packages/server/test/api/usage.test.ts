import { openTestServer } from "@toolrack/testkit/test-server";
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
  });
  for (const { calls, buckets } of all.tools) expect(buckets.reduce((sum, bucket) => sum + bucket.calls, 0)).toBe(calls);
  for (const { at } of all.tools[0]!.buckets) expect((at - from) % 5_000).toBe(0);
  expect((await usage(reader, "&tool=fail")).tools.map(({ tool }) => tool)).toEqual(["fail"]);
  expect((await usage(bot)).tools).toMatchObject([{ tool: "echo", calls: 1 }]);
  expect((await server.request("GET", `/api/v1/usage?from=0&bucketMs=1000`, { key: reader })).status).toBe(400);
});
