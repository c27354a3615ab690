import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

it("the audit lists what was done, and verifies", async () => {
  await using server = await openTestServer();
  await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });
  await server.request("POST", "/api/v1/tools/fail/call", { body: {} });
  await server.request("POST", "/api/v1/keys", { body: { agent: "ada", roles: ["admin", "owner"] } });
  const { secret: key } = await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" });
  const lines = (query: string): Promise<Response> => server.request("GET", `/api/v1/audit?${query}`, { key });
  expect(await (await lines("subject=echo")).json()).toMatchObject({
    lines: [{ kind: "call", agent: "owner", subject: "echo", ok: true }],
  });
  expect(await (await lines("kinds=call&ok=false")).json()).toMatchObject({ lines: [{ subject: "fail", code: "TOOL_FAILED" }] });
  expect(((await (await lines("limit=1&before=3")).json()) as { lines: { number: number }[] }).lines[0]?.number).toBe(2);

  const checked = (await (await server.request("GET", "/api/v1/audit/verification", { key })).json()) as {
    rows: number;
    last: { number: number; hash: string };
  };
  expect(checked).toMatchObject({ ok: true, rows: checked.last.number });
  const { number, hash } = checked.last;
  const through = (wanted: string): Promise<Response> =>
    server.request("GET", `/api/v1/audit/verification?sinceNumber=${number}&sinceHash=${encodeURIComponent(wanted)}`, { key });
  expect(await (await through(hash)).json()).toMatchObject({ ok: true });
  expect(await (await through("0".repeat(64))).json()).toMatchObject({ ok: false, number });
  expect((await server.request("GET", "/api/v1/audit/verification?sinceNumber=1", { key })).status).toBe(400);
});
