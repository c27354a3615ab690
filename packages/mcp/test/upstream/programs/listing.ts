// Lists the tools of a server, and prints why that failed.
import { mcpSource, type McpSourceOptions } from "@toolrack/mcp";

const source = mcpSource(JSON.parse(process.argv[2]!) as McpSourceOptions);
try {
  await source.list({ signal: new AbortController().signal });
} catch (error) {
  process.stdout.write((error as Error).message);
}
await source.close();
