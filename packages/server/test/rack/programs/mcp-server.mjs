// The smallest MCP server over stdio: one tool, which gives back what it is given, and a tool that never answers.
import { createInterface } from "node:readline";

const tools = [
  { name: "say", description: "Gives back what it is given.", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
  { name: "hang", description: "Never answers.", inputSchema: { type: "object" } },
];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small", version: "1.0.0" } }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: input }) =>
    name === "hang" ? undefined : { content: [{ type: "text", text: `${input.text} ${process.env.GREETING ?? ""}`.trim() }] },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = Object.hasOwn(answers, method) ? answers[method](params ?? {}) : null;
  if (answer === undefined) return;
  const body = answer === null ? { error: { code: -32601, message: `${method} is not known` } } : { result: answer };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
