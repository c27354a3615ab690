import { createServer } from "node:net";
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { answer, toolsOf } from "../setting.mjs";

/** fastmcp without sessions, which is its fastest way. It speaks the legacy era. */
export async function start({ count }) {
  const silent = Object.fromEntries(["debug", "error", "info", "log", "warn"].map((level) => [level, () => {}]));
  const server = new FastMCP({ name: "bench", version: "1.0.0", logger: silent });
  for (const { name, title, description } of toolsOf(count)) {
    const parameters = z.object({
      query: z.string().min(1),
      limit: z.number().int().min(1).max(100).optional(),
      exact: z.boolean().optional(),
    });
    server.addTool({ name, description, annotations: { title }, parameters, execute: async (given) => answer(given) });
  }
  const port = await freePort();
  await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1", stateless: true, enableJsonResponse: true } });
  return port;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
