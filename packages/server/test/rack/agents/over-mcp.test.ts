import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serve } from "../../../src/serve.ts";

const tasks = "io.modelcontextprotocol/tasks";
const inputSchema = { type: "object", properties: { sum: { type: "number" } } } as const;
const pay = defineTool({ name: "pay", description: "Pays.", inputSchema, handler: ({ sum }) => `paid ${sum}` });
const call = { name: "clerk", arguments: { task: 'call pay {"sum":1}\ncall pay {"sum":2}' } };
const both = "pay answered: paid 1\npay answered: paid 2";

async function start() {
  const clerk = { instructions: "Pay.", model: "scripted", tools: { allow: ["pay"] } } as const;
  const rack = await openTestRack({
    config: { store: { memory: true }, agents: { clerk }, policy: { tools: { ask: ["pay"] }, agents: { helper: {} } } },
    tools: [pay],
  });
  const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => close({ graceMs: 0 }));
  return { rack, url };
}

/** The official client, whose person answers with these actions, one after the other. */
async function connect(url: string, key: string, answers: string[]) {
  const asked: string[] = [];
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: (answers.shift() ?? "decline") as "accept", content: {} };
  });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
  afterThisTest(() => client.close());
  return { client, asked };
}

describe("an agent that an MCP client calls", () => {
  it("puts its questions to the person in front of the owner's client, and answers when it is done", async () => {
    const { rack, url } = await start();
    const { client, asked } = await connect(url, rack.ownerToken.text, ["accept", "accept"]);
    expect((await client.callTool(call)).content).toEqual([{ type: "text", text: both }]);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatch(/clerk calls pay \{"sum":1\}$/);
    expect(await rack.approvals.list()).toEqual([]);
  });

  it("hears a no", async () => {
    const { rack, url } = await start();
    const { client } = await connect(url, rack.ownerToken.text, ["accept", "decline"]);
    const [text] = (await client.callTool(call)).content as { text: string }[];
    expect(text!.text).toMatch(/^pay answered: paid 1\npay failed: A person denied/);
  });

  it("becomes a task of a client that knows tasks, takes the answers there, and ends with the result", async () => {
    const { rack, url } = await start();
    const ask = onTheWire(url, rack.ownerToken.text);
    const begun = await ask("tools/call", call);
    expect(begun).toMatchObject({ resultType: "task" });
    const { taskId } = begun as { taskId: string };
    for (const sum of [1, 2]) {
      let questions: Record<string, { params: { message: string } }> = {};
      await until(async () => {
        questions = (await ask("tasks/get", { taskId }))["inputRequests"] ?? {};
        return Object.values(questions).some(({ params }) => params.message.includes(`{"sum":${sum}}`));
      });
      const inputResponses = Object.fromEntries(Object.keys(questions).map((key) => [key, { action: "accept", content: {} }]));
      await ask("tasks/update", { taskId, inputResponses });
    }
    await until(async () => (await ask("tasks/get", { taskId }))["status"] === "completed");
    expect((await ask("tasks/get", { taskId }))["result"]).toMatchObject({ content: [{ type: "text", text: both }] });
    expect((await rack.calls.list({ tool: "pay" })).filter(({ ok }) => ok)).toHaveLength(2);
  });

  it("SD10: asks somebody else than the person of a client that is not trusted with it", async () => {
    const { rack, url } = await start();
    const { secret } = await rack.keys.create({ agent: "helper", roles: [], by: "test" });
    const { client, asked } = await connect(url, secret, ["accept", "accept"]);
    const calling = client.callTool({ ...call, arguments: { task: 'call pay {"sum":1}' } });
    await until(async () => (await rack.approvals.list()).length === 1);
    const [question] = await rack.approvals.list();
    expect(question).toMatchObject({ tool: "pay", caller: { agent: "clerk" } });
    await rack.approvals.decide(question!.id, { approved: true, by: "boss" });
    expect((await calling).content).toEqual([{ type: "text", text: "pay answered: paid 1" }]);
    expect(asked).toEqual([]);
  });
});

/** Requests of a client that knows tasks, as they are sent: the official client does not know this extension yet. */
function onTheWire(url: string, key: string) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, extensions: { [tasks]: {} } },
  };
  return async (method: string, params: Readonly<Record<string, unknown>>): Promise<Record<string, any>> => {
    const answer = await fetch(new URL("/mcp", url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": String(params["name"] ?? params["taskId"]),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await answer.text();
    const sent = text.split("\n").findLast((line) => line.startsWith("data: {"));
    return (JSON.parse(sent?.slice("data: ".length) ?? text) as { result: Record<string, any> }).result;
  };
}
