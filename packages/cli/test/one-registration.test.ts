import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { exportTools } from "@toolrack/core/vendors";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

// row: C12, C8
it("shows and calls a tool that was registered once for agents, MCP, HTTP and the command", async () => {
  const folder = temporaryFolder();
  const server = await openServer({ folder, port: 0, consoleFolder: false, config: { store: { memory: true } } });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const { rack, url } = server;
  rack.registry.register(
    defineTool({
      name: "greet",
      description: "Greets somebody.",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      handler: ({ who }) => `Hello ${who}`,
    }),
  );

  const { names } = exportTools(rack.registry.view({ owner: true }).tools, "anthropic");
  expect(Object.values(names)).toContain("greet");
  expect(await rack.registry.invoke("greet", { who: "agent" }, { caller: { owner: true } })).toMatchObject({ content: "Hello agent" });

  const owner = { authorization: `Bearer ${rack.ownerToken.text}` };
  const listed = (await (await fetch(`${url}/api/v1/tools`, { headers: owner })).json()) as { tools: { name: string }[] };
  expect(listed.tools.map(({ name }) => name)).toContain("greet");
  const answer = await fetch(`${url}/api/v1/tools/greet/call`, {
    method: "POST",
    headers: { ...owner, "content-type": "application/json" },
    body: JSON.stringify({ input: { who: "HTTP" } }),
  });
  expect(await answer.json()).toMatchObject({ content: "Hello HTTP" });

  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: owner } }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("greet");
  expect(await client.callTool({ name: "greet", arguments: { who: "MCP" } })).toMatchObject({
    content: [{ type: "text", text: "Hello MCP" }],
  });

  const options = { folder, environment: { TOOLRACK_URL: url } };
  expect((await run(["list"], options)).output).toMatch(/^greet\s/m);
  expect((await run(["call", "greet", "who=command"], options)).output).toContain("Hello command");
  // One audit for all of them; the library's own call is in it, too.
  expect(((await run(["calls", "--tool", "greet", "--json"], options)).json() as { calls: unknown[] }).calls).toHaveLength(4);
});
