import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The file of a server that the MCP project publishes on npm: run it with Node, followed by its arguments. */
export function publicServer(name: "server-everything" | "server-filesystem" | "server-memory"): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");
}
