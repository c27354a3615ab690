import { fileURLToPath } from "node:url";
import { mcpSource, type McpSource, type McpSourceOptions } from "@toolrack/mcp";
import { afterEach } from "vitest";
import type { HttpServer, HttpServerOptions } from "./_server-types.ts";

// What tests of upstreams share: servers by hand on both transports, closed after each test.

const stdioServer = fileURLToPath(new URL("fixtures/stdio-server.mjs", import.meta.url));
const { startHttpServer } = (await import(new URL("fixtures/http-server.mjs", import.meta.url).href)) as {
  startHttpServer(options?: HttpServerOptions): Promise<HttpServer>;
};
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanUp) => cleanUp()));
});

export function afterThisTest(cleanUp: () => unknown): void {
  cleanups.push(cleanUp);
}

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

/** Waits until something holds; fails after a generous time, never by a fixed pause. */
export async function until(holds: () => boolean | Promise<boolean>, what = "it"): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
