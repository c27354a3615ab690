import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

const config = `
tools: { packs: { files: false } }
policy: { tools: { ask: [random] } }
agents: { anna: {} }
`;

async function serve() {
  const folder = temporaryFolder();
  await writeFile(join(folder, "toolrack.config.yaml"), config);
  const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const waiting = async () => {
    await until(async () => (await server.rack.approvals.list()).length > 0);
    return (await server.rack.approvals.list())[0]!;
  };
  return { folder, server, waiting };
}

describe("a call that waits for a person", () => {
  it("says at once what it waits for, its id, and the two ways to answer; and goes on with the answer", async () => {
    const { folder, server, waiting } = await serve();
    let told = "";
    const called = run(["--url", server.url, "call", "random", "min=1", "max=6", "--agent", "anna"], {
      folder,
      onErrors: (text) => (told += text),
    });
    const { id } = await waiting();
    await until(() => told.includes("To deny it"));
    expect(told).toMatch(/^Waiting for a person's approval to call random: .*tools\.ask/);
    expect(told).toContain(`Approval ${id}, until `);
    expect(told).toContain(`toolrack --url ${server.url} approvals show ${id}`);
    expect(told).toContain(`  In the console:  ${server.url}/live\n`);
    expect(told).toContain(`  With a command:  toolrack --url ${server.url} approvals approve ${id}\n`);
    expect((await run(["--url", server.url, "approvals", "approve", id], { folder })).code).toBe(0);
    expect(await called).toMatchObject({ code: 0, output: expect.stringContaining("numbers") });
  });

  it("is approved once where it belongs to no session, and the answer says so", async () => {
    const { folder, server, waiting } = await serve();
    const called = run(["--url", server.url, "call", "random", "min=1", "max=6", "--agent", "anna"], { folder });
    const { id } = await waiting();
    const approved = await run(["--url", server.url, "approvals", "approve", id, "--scope", "session"], { folder });
    expect(approved.output).toBe("random was approved, for this call only: it belongs to no session.\n");
    expect(await called).toMatchObject({ code: 0 });
    expect(await server.rack.approvals.remembered()).toEqual([]);
  });

  it("is told also where a tool calls the tool that needs approval", async () => {
    const { folder, server, waiting } = await serve();
    const outer = defineTool({
      name: "outer",
      description: "Calls random.",
      inputSchema: { type: "object", properties: {} },
      handler: async (_, context) => JSON.stringify(await context.call("random", { min: 1, max: 6 })),
    });
    await server.rack.registry.addSource({ id: "house", list: () => [outer] });
    let told = "";
    const called = run(["--url", server.url, "call", "outer"], { folder, onErrors: (text) => (told += text) });
    const { id } = await waiting();
    await until(() => told.includes("To deny it"));
    expect(told).toContain("Waiting for a person's approval to call random");
    await run(["--url", server.url, "approvals", "approve", id], { folder });
    expect((await called).code).toBe(0);
  });

  it("shows nothing of it on standard output, and nothing at all with --json but the result", async () => {
    const { folder, server, waiting } = await serve();
    const called = run(["--url", server.url, "call", "random", "min=1", "max=6", "--json"], { folder });
    const { id } = await waiting();
    await run(["--url", server.url, "approvals", "approve", id], { folder });
    const ended = await called;
    expect(ended.json()).toMatchObject({ ok: true });
    expect(ended.errors).toBe("");
  });
});

describe("the reason of a denial", () => {
  const reason = "Not on a Friday";

  it("reaches the terminal of the caller, and the record of the call", async () => {
    const { folder, server, waiting } = await serve();
    const called = run(["--url", server.url, "call", "random", "min=1", "max=6"], { folder });
    const { id, callId } = await waiting();
    await run(["--url", server.url, "approvals", "deny", id, "--reason", reason], { folder });
    const ended = await called;
    expect(ended.code).toBe(3);
    expect(ended.output).toContain(`A person denied the call of tool "random", with this reason: "${reason}".`);
    expect((await run(["--url", server.url, "calls", callId], { folder })).output).toContain(reason);
    expect((await run(["--url", server.url, "audit", "--kind", "call-denied", "--json"], { folder })).output).toContain(reason);
  });

  it("reaches callers over HTTP and over MCP", async () => {
    const { server, waiting } = await serve();
    const { secret } = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
    const headers = { authorization: `Bearer ${secret}` };
    const deny = async (): Promise<void> => {
      const { id, digest } = await waiting();
      await server.rack.approvals.decide(id, { approved: false, digest, reason, by: "test" });
    };
    const overHttp = fetch(`${server.url}/api/v1/tools/random/call`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ input: { min: 1, max: 6 } }),
    });
    await deny();
    const response = await overHttp;
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "APPROVAL_DENIED", detail: expect.stringContaining(reason) });

    const client = new Client({ name: "test", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
    const progress: (string | undefined)[] = [];
    const overMcp = client.callTool(
      { name: "random", arguments: { min: 1, max: 6 } },
      { onprogress: ({ message }) => progress.push(message) },
    );
    await deny();
    expect(await overMcp).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(reason) }] });
    expect(progress).toEqual([expect.stringContaining("Waiting for a person's approval")]);
  });
});
