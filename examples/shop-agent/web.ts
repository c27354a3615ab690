// Reading and searching the web, without access to private addresses.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { createWebTools } from "@toolrack/tools";
// #endregion

export async function showWeb(): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === "/inward") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    if (request.url!.startsWith("/search"))
      return void response.writeHead(200).end('{"results":[{"title":"Tea","url":"https://example.com/tea","content":"About tea"}]}');
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<html><body><h1>Tea</h1><script>steal()</script><p>It grows on <b>hills</b>.</p></body></html>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const local = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  // #region web
  const capabilities = createCapabilities({ overrides: { network: true } }); // a machine without network has no web tools
  const registry = createRegistry({ capabilities });
  const tools = createWebTools({
    search: { backend: "searxng", baseUrl: `http://${local}` }, // or "brave", "tavily", with their key as a secret
    fetch: { allowHosts: [local], timeoutMs: 10_000, maxBytes: 2_000_000, maxRedirects: 3 },
  });
  for (const tool of tools) registry.register(tool);
  const page = await registry.invoke("web_fetch", { url: `http://${local}/` });
  const found = await registry.invoke("web_search", { query: "tea" });
  const inward = await registry.invoke("web_fetch", { url: `http://${local}/inward` });
  console.log(inward.ok ? inward.content : inward.error);
  // #endregion
  server.closeAllConnections();
  server.close();
  assert(page.ok && (page.data as { content: string }).content.endsWith("Tea\n\nIt grows on **hills**."), JSON.stringify(page));
  assert(found.ok && (found.data as { count: number }).count === 1, JSON.stringify(found));
  assert(!inward.ok && inward.code === "TOOL_NOT_ALLOWED");
}
