// A registry as an MCP server: over HTTP and over stdio, with approvals, questions, tasks, prompts and resources.
import assert from "node:assert/strict";
// #region mount-imports
import { createServer, type IncomingMessage } from "node:http";
// #endregion
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
// #region client-imports
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
// #endregion
// #region imports
import { type Caller, createRegistry, defineTool } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { createMcpApprover, mcpClient, serveMcp } from "@toolrack/mcp";
// #endregion

// #region tools
const registry = createRegistry({
  policy: readPolicyConfig({ tools: { ask: ["refund"] } }), // each call needs approval by a person
  approver: createMcpApprover(),
});
registry.register(
  defineTool({
    name: "refund",
    description: "Pays money back to a customer.",
    inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    metadata: { usageHint: "After the customer has sent the goods back." },
    handler: ({ amount }) => `${amount} paid back.`,
  }),
);
// #endregion

// #region serve
const endpoint = serveMcp(registry, { name: "shop", version: "1.0.0", instructions: "Tools of a small shop." });
const { url } = await endpoint.listen({ port: 0 }); // 127.0.0.1 and a free port
// #endregion

// #region client
const client = new Client({ name: "demo", version: "1.0.0" }, { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } });
client.setRequestHandler("elicitation/create", async ({ params }) => {
  console.log("asked:", params.message.split("\n").at(-1) ?? params.message);
  return { action: "accept", content: {} };
});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(", "));
const { content } = await client.callTool({ name: "refund", arguments: { amount: 20 } });
console.log(content);
// #endregion
assert.deepEqual(content, [{ type: "text", text: "20 paid back." }]);
assert.deepEqual((await client.listPrompts()).prompts, []);

// #region ask
registry.register(
  defineTool({
    name: "greet",
    description: "Greets the person in front of the client.",
    inputSchema: { type: "object", properties: {} },
    async handler(_input, context) {
      const answer = await mcpClient(context)?.elicit({
        message: "What is your name?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      });
      return answer?.action === "accept" ? `Hello, ${String(answer.content["name"] ?? "you")}!` : "Hello!";
    },
  }),
);
// #endregion
assert.deepEqual((await client.callTool({ name: "greet", arguments: {} })).content, [{ type: "text", text: "Hello, you!" }]);

// #region more
const withMore = serveMcp(registry, {
  prompts: [
    {
      name: "apology",
      description: "An apology to a customer.",
      arguments: [{ name: "name", required: true, complete: (typed) => ["Ada", "Grace"].filter((name) => name.startsWith(typed)) }],
      get: ({ name }) => [{ role: "user", content: { type: "text", text: `Write an apology to ${name}.` } }],
    },
  ],
  resources: [{ uriTemplate: "orders://{id}", name: "order", mimeType: "text/plain", read: ({ id }) => ({ text: `Order ${id}` }) }],
  taskSupport: (tool) => (tool.name === "report" ? "preferred" : "when-long"),
  taskAfterMs: 2_000,
});
// #endregion
const read = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "orders://7" } });
const json = { "content-type": "application/json" };
const order = await withMore.fetch(new Request("http://localhost/mcp", { method: "POST", headers: json, body: read }));
assert.match(await order.text(), /Order 7/);

// #region mount
const keys = new Map([["key-of-ada", { sender: "ada", agent: "support" } satisfies Caller]]);
const bearerOf = ({ headers }: IncomingMessage): string => headers.authorization?.replace(/^Bearer /, "") ?? "";
const server = createServer((request, response) => {
  const caller = keys.get(bearerOf(request)); // your sign-in
  if (caller === undefined) return void response.writeHead(401).end();
  endpoint.node(request, response, { caller });
});
// #endregion
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as { port: number };
assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: "POST" })).status, 401);
server.close();

const input = new PassThrough();
const output = new PassThrough();
// #region stdio
const served = endpoint.stdio({ input, output }); // default: the streams of the process
// #endregion
input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
await served;
await sleep(10);
assert.equal(String(output.read()), '{"jsonrpc":"2.0","id":1,"result":{}}\n');

await client.close();
await Promise.all([endpoint.close(), withMore.close()]);
