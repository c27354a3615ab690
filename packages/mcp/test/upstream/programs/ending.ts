// Starts a server as a source, prints the ids of its processes, and ends as its second argument says.
import { createRegistry } from "@toolrack/core";
import { mcpSource, type McpSourceOptions } from "@toolrack/mcp";

const [options, end] = process.argv.slice(2) as [string, string];
const ends: Readonly<Record<string, () => void>> = {
  exit: () => process.exit(0),
  throw() {
    throw new Error("bug");
  },
};
const registry = createRegistry();
await registry.addSource(mcpSource(JSON.parse(options) as McpSourceOptions));
const result = await registry.invoke("hand__grandchild", {});
process.stdout.write(result.ok ? result.content : result.error, () => (ends[end] ?? (() => process.kill(process.pid, end)))());
