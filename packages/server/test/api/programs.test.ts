import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

const pay = defineTool({
  name: "pay",
  description: "Pays a bill.",
  inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
  handler: ({ bill }) => ({ receipt: `R-${bill}` }),
});
const config = {
  tools: { packs: { utility: false, sessions: false, programs: true } },
  policy: { tools: { ask: ["pay"] } },
} as const;
const code = "// Pays.\nreturn (await tools.pay({ bill: 'B-1' })).receipt;";

it("shows programs that wait to those who made them and to those who see all, and how they ended", async () => {
  await using server = await openTestServer({ config, tools: [pay] });
  const anna = await server.as("anna");
  const bob = await server.as("bob");
  const running = anna("POST", "/tools/run_code/call", { input: { code } });
  let list: { id: string }[] = [];
  await until(async () => (list = (await anna("GET", "/programs")).body.programs).length > 0);
  expect(list).toMatchObject([{ status: "waiting", tool: "run_code", line: 2, caller: { agent: "anna" } }]);
  const { id } = list[0]!;
  expect((await bob("GET", "/programs")).body.programs).toEqual([]);
  expect(await bob("GET", `/programs/${id}`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await bob("DELETE", `/programs/${id}`)).toMatchObject({ status: 404 });
  const shown = await server.ask("GET", `/programs/${id}`);
  expect(shown.body).toMatchObject({ source: code, pending: [{ tool: "pay", input: { bill: "B-1" }, line: 2 }] });
  const { waiting } = (await server.ask("GET", "/approvals")).body;
  expect(waiting).toMatchObject([{ program: { id, line: 2, text: "return (await tools.pay({ bill: 'B-1' })).receipt;" } }]);
  await server.ask("POST", `/approvals/${waiting[0].id}/decide`, { approved: true, digest: waiting[0].digest });
  expect(await running).toMatchObject({ status: 200, body: { data: { value: "R-B-1" } } });
  expect((await anna("GET", `/programs/${id}`)).body).toMatchObject({ status: "ended", outcome: { value: "R-B-1" }, pending: [] });
  expect(await anna("DELETE", `/programs/${id}`)).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
});

it("cancels a program that waits, and withdraws its question", async () => {
  await using server = await openTestServer({ config, tools: [pay] });
  const anna = await server.as("anna");
  const running = anna("POST", "/tools/run_code/call", { input: { code } });
  let list: { id: string }[] = [];
  await until(async () => (list = (await anna("GET", "/programs")).body.programs).length > 0);
  expect(await anna("DELETE", `/programs/${list[0]!.id}`)).toMatchObject({ status: 204 });
  expect((await running).body).toMatchObject({ code: "ABORTED" });
  await until(async () => (await server.ask("GET", "/approvals")).body.waiting.length === 0);
});

it("shows the labels of arguments with the call", async () => {
  const read = defineTool({
    name: "read_page",
    description: "Reads a page.",
    inputSchema: { type: "object", properties: {} },
    metadata: { annotations: { openWorld: true } },
    handler: () => ({ bill: "B-9" }),
  });
  await using server = await openTestServer({ config: { tools: config.tools }, tools: [pay, read] });
  const made = await server.ask("POST", "/tools/run_code/call", { input: { code: "return await tools.pay(await tools.read_page({}));" } });
  expect(made.body.data).toMatchObject({ labels: ["untrusted"] });
  const shown = await server.ask("GET", `/calls/${made.body.meta.callId}`);
  expect(shown.body.children).toMatchObject([{ tool: "read_page" }, { tool: "pay", labels: { "/bill": ["untrusted"] } }]);
});
