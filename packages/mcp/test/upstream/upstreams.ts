import { fileURLToPath } from "node:url";
import { mcpSource, type McpSource, type McpSourceOptions } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import type { HttpServer, HttpServerOptions } from "./server-types.ts";

// What tests of upstreams share: servers by hand on both transports, closed after each test.

const stdioServer = fileURLToPath(new URL("fixtures/stdio-server.mjs", import.meta.url));
const { startHttpServer } = (await import(new URL("fixtures/http-server.mjs", import.meta.url).href)) as {
  startHttpServer(options?: HttpServerOptions): Promise<HttpServer>;
};

/** The program that is the server by hand, as options of an upstream. */
export function stdioUpstream(server: object = {}, more: Partial<McpSourceOptions> = {}): McpSourceOptions {
  return { name: "hand", command: process.execPath, args: [stdioServer, JSON.stringify(server)], ...more } as McpSourceOptions;
}

export async function httpServer(server: HttpServerOptions = {}): Promise<HttpServer> {
  const started = await startHttpServer(server);
  afterThisTest(() => started.close());
  return started;
}

export { startHttpServer };

/** A source that is closed after the test. */
export function sourceOf(options: McpSourceOptions): McpSource {
  const source = mcpSource(options);
  afterThisTest(() => source.close());
  return source;
}

export function toolNamed(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} }, ...more };
}
