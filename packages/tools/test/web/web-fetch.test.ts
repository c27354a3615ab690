import { createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { lintTools } from "@toolrack/core/lint";
import { createCapabilities } from "@toolrack/core/node";
import { assertTool } from "@toolrack/core/testing";
import { type Loopback, startLoopback } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWebTools, type WebOptions } from "../../src/index.ts";
import { readPage } from "../../src/web/read-page.ts";

const capabilities = createCapabilities({ overrides: { network: true } });
let server: Loopback;

function registryWith(options: WebOptions = { fetch: { allowHosts: [server.host] } }): Registry {
  const registry = createRegistry({ capabilities });
  for (const tool of createWebTools(options)) registry.register(tool);
  return registry;
}
const fetchWith = (registry: Registry, url: string, more: object = {}): Promise<ToolResult> =>
  registry.invoke("web_fetch", { url, ...more });
const dataOf = (result: ToolResult): any => (result.ok ? result.data : expect.fail(result.error));

const article = `<!doctype html><html><head><title>Growing tea</title><style>p{color:red}</style><script>steal()</script></head><body>
  <nav><a href="/home">Home</a><a href="/shop">Shop</a></nav>
  <article><h1>Growing tea</h1>
  ${"<p>Tea grows on hills, slowly, and wants rain, shade and patience. It is picked by hand, leaf by leaf, in the morning.</p>".repeat(4)}
  <p>See <a href="/more?a=1&amp;b=2">the next page</a>, or <a href="javascript:steal()">do not</a>.</p><ul><li>green</li><li>black</li></ul></article>
  <footer>All rights reserved</footer></body></html>`;

beforeAll(async () => {
  server = await startLoopback((request, response) => {
    const send = (type: string, body: string | Uint8Array, status = 200): void =>
      void response.writeHead(status, { "content-type": type }).end(body);
    switch (request.path) {
      case "/article":
        return send("text/html; charset=utf-8", article);
      case "/latin":
        return send("text/html; charset=iso-8859-1", Buffer.from("<html><body><p>Caf\xe9</p></body></html>", "latin1"));
      case "/meta":
        return send(
          "text/html",
          Buffer.from('<html><head><meta charset="windows-1252"></head><body><p>\x93quoted\x94</p></body></html>', "latin1"),
        );
      case "/json":
        return send("application/json", '{"a":1}');
      case "/plain":
        return send("text/plain", "x".repeat(500));
      case "/emoji":
        return send("text/plain", "😀".repeat(200));
      case "/image":
        return send("image/png", new Uint8Array([1, 2, 3]));
      case "/missing":
        return send("text/html", "<p>no</p>", 404);
      case "/busy":
        return send("text/plain", "later", 503);
      case "/large":
        return send("text/plain", "x".repeat(200_000));
      case "/inward":
        return void response.writeHead(302, { location: request.query.get("to")! }).end();
      case "/loop":
        return void response.writeHead(302, { location: "/loop" }).end();
      case "/deep":
        return send("text/html", `<html><body>${"<div>".repeat(20_000)}the treasure`);
      case "/hang":
        return;
      case "/drip":
        response.writeHead(200, { "content-type": "text/html" });
        return void response.write("<html>");
      default:
        return send("text/html", "<p>home</p>");
    }
  });
});
beforeEach(() => void (server.seen.length = 0));
afterAll(() => server[Symbol.asyncDispose]());

describe("web_fetch", () => {
  it("passes the test kit, and lint has nothing to warn of", async () => {
    const page = {
      headers: { "content-type": "text/html" },
      status: 200,
      ok: true,
      bytes: new TextEncoder().encode(article),
      text: () => article,
    };
    const http = { request: async (url: string) => ({ ...page, url }) };
    await assertTool(createWebTools({ operations: { http } })[1]!, { capabilities, timeoutMs: 20_000 });
    expect(lintTools(createWebTools()).filter((finding) => finding.severity !== "info")).toEqual([]);
  });

  it("gives what a page is about as markdown, with whole links, and without what stands around", async () => {
    const data = dataOf(await fetchWith(registryWith(), `${server.url}/article`));
    expect(data).toMatchObject({ url: `${server.url}/article`, title: "Growing tea", content_type: "text/html; charset=utf-8" });
    expect(data.content).toContain("Tea grows on hills");
    expect(data.content).toContain(`[the next page](${server.url}/more?a=1&b=2)`);
    expect(data.content).toMatch(/- +green\n- +black/);
    for (const part of ["steal", "color:red", "All rights", "Home", "<p>"]) expect(data.content, part).not.toContain(part);
  });

  it("gives plain text where that is asked for", async () => {
    const { content } = dataOf(await fetchWith(registryWith(), `${server.url}/article`, { output_format: "text" }));
    expect(content).toContain("See the next page, or do not.\n");
    expect(content).not.toContain("](");
  });

  it("reads pages in the encoding that they have", async () => {
    const registry = registryWith();
    expect(dataOf(await fetchWith(registry, `${server.url}/latin`)).content).toBe("Café");
    expect(dataOf(await fetchWith(registry, `${server.url}/meta`, { output_format: "text" })).content).toBe("“quoted”");
  });

  it("gives other texts as they are, in parts of the size asked for", async () => {
    const registry = registryWith();
    expect(dataOf(await fetchWith(registry, `${server.url}/json`))).toMatchObject({ content: '{"a":1}', total_chars: 7 });
    const first = dataOf(await fetchWith(registry, `${server.url}/plain`, { max_chars: 300 }));
    expect(first).toMatchObject({ total_chars: 500, next_start: 300 });
    const second = dataOf(await fetchWith(registry, `${server.url}/plain`, { max_chars: 300, start: first.next_start }));
    expect(second.content).toHaveLength(200);
    expect(second).not.toHaveProperty("next_start");
    const { content } = dataOf(await fetchWith(registry, `${server.url}/emoji`, { max_chars: 101 }));
    expect(content).toBe("😀".repeat(50));
    expect(dataOf(await fetchWith(registry, `${server.url}/plain`, { start: 9_000 })).content).toBe("");
  });

  it("says so when there is no page to read", async () => {
    const registry = registryWith();
    expect(await fetchWith(registry, `${server.url}/missing`)).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      retryable: false,
      error: expect.stringContaining("404"),
    });
    expect(await fetchWith(registry, `${server.url}/busy`)).toMatchObject({ ok: false, retryable: true });
    expect(await fetchWith(registry, `${server.url}/image`)).toMatchObject({ ok: false, error: expect.stringContaining("image/png") });
  });

  it("reads a page that is nested beyond reason", async () => {
    const hurried = registryWith({
      fetch: { allowHosts: [server.host] },
      operations: { readPage: (request) => readPage({ ...request, maxRunMs: 300 }) },
    });
    expect(dataOf(await fetchWith(hurried, `${server.url}/deep`))).toMatchObject({
      content: "the treasure",
      note: expect.stringContaining("plain text"),
    });
  });
});

describe("web_fetch and addresses that are not public", () => {
  const refused = { ok: false, code: "TOOL_NOT_ALLOWED", error: expect.stringContaining("not an address of the public internet") };

  // row: J4
  it("refuses them in every notation, before a connection is made", async () => {
    const registry = registryWith({});
    const port = server.host.split(":")[1]!;
    const hosts =
      "127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 017700000001 0 0.0.0.0 localhost [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] 169.254.169.254 2852039166 [fd00:ec2::254] 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 １２７.0.0.1 127。0。0。1 [64:ff9b::7f00:1] [2002:7f00:1::]";
    for (const host of hosts.split(" ")) expect(await fetchWith(registry, `http://${host}:${port}/`), host).toMatchObject(refused);
    expect(server.seen).toEqual([]);
  });

  it("refuses redirects to them, also from a host that is allowed", async () => {
    const registry = registryWith({ fetch: { allowHosts: [server.host] } });
    const port = server.host.split(":")[1]!;
    for (const to of [
      `http://localhost:${port}/`,
      "http://169.254.169.254/latest/meta-data/",
      `http://[::1]:${port}/`,
      `//127.0.0.1:1/`,
      "http://2130706433/",
    ]) {
      server.seen.length = 0;
      expect(await fetchWith(registry, `${server.url}/inward?to=${encodeURIComponent(to)}`), to).toMatchObject(refused);
      expect(server.seen).toHaveLength(1);
    }
    expect(await fetchWith(registry, `${server.url}/inward?to=${encodeURIComponent("file:///etc/passwd")}`)).toMatchObject({
      code: "INPUT_INVALID",
    });
    expect(await fetchWith(registry, `${server.url}/loop`)).toMatchObject({
      code: "TOOL_FAILED",
      error: expect.stringContaining("redirected"),
    });
  });

  it("refuses names that lead to them, and names that answer otherwise the second time", async () => {
    const inward = registryWith({ fetch: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] } });
    expect(await fetchWith(inward, `http://innocent.example:${server.host.split(":")[1]}/`)).toMatchObject(refused);
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 }];
    const rebinding = registryWith({ fetch: { resolve, timeoutMs: 300 } });
    await fetchWith(rebinding, `http://rebinding.example:${server.host.split(":")[1]}/`);
    expect(asked).toBe(1);
    expect(server.seen).toEqual([]);
  });

  it("refuses an allowed host that is none when the tools are made", () => {
    for (const host of ["*", "http://x", "*.example.com", "a b"])
      expect(() => createWebTools({ fetch: { allowHosts: [host] } }), host).toThrow(/allowed host/);
  });

  it("refuses what is no address of the web", async () => {
    const registry = registryWith();
    for (const url of [
      "file:///etc/passwd",
      "ftp://example.com/",
      "data:text/html,x",
      "javascript:alert(1)",
      "nonsense",
      "http://",
      "http://a:b@example.com/",
      "; rm -rf /",
    ])
      expect(await fetchWith(registry, url), url).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });
});

describe("web_fetch and servers that misbehave", () => {
  it("ends when they hang, before or within the answer", async () => {
    const registry = registryWith({ fetch: { allowHosts: [server.host], timeoutMs: 100 } });
    for (const path of ["/hang", "/drip"])
      expect(await fetchWith(registry, `${server.url}${path}`), path).toMatchObject({ code: "TIMEOUT", retryable: true });
  });

  it("ends when the caller gives up", async () => {
    const controller = new AbortController();
    const result = registryWith().invoke("web_fetch", { url: `${server.url}/hang` }, { signal: controller.signal });
    await until(() => server.seen.length === 1);
    controller.abort();
    expect(await result).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("stops at the limit of size", async () => {
    const registry = registryWith({ fetch: { allowHosts: [server.host], maxBytes: 1_000 } });
    expect(await fetchWith(registry, `${server.url}/large`)).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
  });
});
