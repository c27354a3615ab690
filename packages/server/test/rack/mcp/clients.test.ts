import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { serve } from "../../../src/serve.ts";

const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object", properties: {} }, handler: () => "sent" });

/** A rack behind a real port, and an MCP client whose person says yes to everything. */
async function start(approvals: RackConfig["approvals"] = {}) {
  const config = {
    store: { memory: true },
    policy: { tools: { ask: ["send"] }, agents: { anonymous: {}, helper: {} } },
    approvals,
  } as const;
  const rack = await openTestRack({ tools: [send], config });
  const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => close({ graceMs: 0 }));
  const asked: string[] = [];
  const owner = { authorization: `Bearer ${rack.ownerToken.text}` };
  /** Without a key as the owner; "" sends nothing. */
  async function connect(key = rack.ownerToken.text): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
    const headers: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
    afterThisTest(() => client.close());
    return client;
  }
  return { rack, connect, asked, url, owner };
}

describe("a tool that is registered once", () => {
  it("is there in the library, over HTTP and over MCP, and each call of it is in one log (C12)", async () => {
    const { rack, connect, url, owner } = await start();
    const plain = defineTool({ name: "plain", description: "Just answers.", inputSchema: { type: "object" }, handler: () => "here" });
    rack.registry.register(plain);
    const client = await connect();
    expect(rack.registry.list()).toContain(plain);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("plain");
    const listed = (await (await fetch(`${url}/api/v1/tools`, { headers: owner })).json()) as { tools: { name: string }[] };
    expect(listed.tools.map(({ name }) => name)).toContain("plain");
    expect(await rack.registry.invoke("plain", {})).toMatchObject({ ok: true });
    expect((await client.callTool({ name: "plain", arguments: {} })).content).toEqual([{ type: "text", text: "here" }]);
    const headers = { ...owner, "content-type": "application/json" };
    expect((await fetch(`${url}/api/v1/tools/plain/call`, { method: "POST", headers, body: "{}" })).status).toBe(200);
    expect((await rack.calls.list({ tool: "plain" })).map(({ ok }) => ok)).toEqual([true, true, true]);
  });
});

describe("a call over MCP that a person has to agree to", () => {
  it("is put to the person in front of the owner's client", async () => {
    const { rack, connect, asked } = await start();
    const client = await connect();
    expect((await client.callTool({ name: "send", arguments: {} })).content).toEqual([{ type: "text", text: "sent" }]);
    expect(asked).toEqual([expect.stringMatching(/\n\nsend \{\}$/)]);
    expect(asked[0]).not.toContain("sha256");
    expect(await rack.approvals.list()).toEqual([]);
  });

  it("of an agent waits for somebody else, whatever its client would say (S32)", async () => {
    const { rack, connect, asked } = await start();
    const { secret } = await rack.keys.create({ agent: "helper", roles: [], by: "test" });
    const client = await connect(secret);
    const calling = client.callTool({ name: "send", arguments: {} });
    await expect.poll(async () => (await rack.approvals.list()).length).toBe(1);
    const [question] = await rack.approvals.list();
    expect(question).toMatchObject({ tool: "send", caller: { agent: "helper" } });
    expect(rack.running.get(question!.callId)).toBeDefined();
    await rack.approvals.decide(question!.id, { approved: true, digest: question!.digest, by: "boss" });
    expect((await calling).content).toEqual([{ type: "text", text: "sent" }]);
    expect(asked).toEqual([]);
  });

  it("SD10: of whoever did not sign in waits for somebody else, also where clients may ask their own person", async () => {
    const { rack, connect, asked } = await start({ askClients: true });
    const client = await connect("");
    const calling = client.callTool({ name: "send", arguments: {} });
    await until(async () => (await rack.approvals.list()).length === 1);
    const [question] = await rack.approvals.list();
    expect(question).toMatchObject({ tool: "send", caller: { agent: "anonymous" } });
    await rack.approvals.decide(question!.id, { approved: true, digest: question!.digest, by: "boss" });
    expect((await calling).content).toEqual([{ type: "text", text: "sent" }]);
    expect(asked).toEqual([]);
  });

  it("of an agent is put to its own person where the configuration says so", async () => {
    const { rack, connect, asked } = await start({ askClients: true });
    const { secret } = await rack.keys.create({ agent: "helper", roles: [], by: "test" });
    const client = await connect(secret);
    expect((await client.callTool({ name: "send", arguments: {} })).content).toEqual([{ type: "text", text: "sent" }]);
    expect(asked).toHaveLength(1);
  });
});
