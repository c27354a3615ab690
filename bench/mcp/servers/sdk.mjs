import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { answer, toolsOf } from "../setting.mjs";

/** The official SDK, as its guide sets it up: a server for each request, made by a factory. */
export function start({ count }) {
  const tools = toolsOf(count).map((tool) => ({ ...tool, inputSchema: fromJsonSchema(tool.inputSchema) }));
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    for (const { name, title, description, inputSchema } of tools) {
      server.registerTool(name, { title, description, inputSchema }, (given) => ({ content: [{ type: "text", text: answer(given) }] }));
    }
    return server;
  });
  const server = createServer(toNodeHandler(handler));
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
