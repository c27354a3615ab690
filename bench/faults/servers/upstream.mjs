// An MCP server over stdio that misbehaves as its argument says: "hang", "crash" or "flood".
import { createInterface } from "node:readline";

const [mode] = process.argv.slice(2);
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name) => ({ name, description: "Says what it was given.", inputSchema: { type: "object" } });
let pages = 0;

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: mode, version: "1.0.0" },
  }),
  ping: () => ({}),
  // A list without an end.
  "tools/list": () =>
    mode === "flood"
      ? { tools: Array.from({ length: 200 }, (_, index) => tool(`echo_${pages}_${index}`)), nextCursor: String(++pages) }
      : { tools: [tool("echo")] },
  "tools/call": () => (mode === "hang" ? undefined : { content: [{ type: "text", text: "echo" }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params ?? {});
  if (id !== undefined && result !== undefined) say({ id, result });
  else if (id !== undefined && answers[method] === undefined) say({ id, error: { code: -32601, message: "Method not found" } });
});
if (mode === "crash") setTimeout(() => process.exit(1), 300);
if (mode === "flood") setInterval(() => say({ method: "notifications/tools/list_changed" }), 1);
