import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { readEvents } from "@toolrack/testkit/events";
import { testTools } from "@toolrack/testkit/test-tools";
import { untilAborted } from "@toolrack/testkit/aborted";
import { afterEach, describe, expect, it } from "vitest";
import { openRack } from "../src/rack/open.ts";
import type { Rack } from "../src/rack/rack.ts";
import { serve, type Served, type ServeOptions } from "../src/serve.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const patient = { timeout: 60_000 };
let aborted: string[] = [];
/** Ends the call of `slow` that runs. */
let letGo = (): void => undefined;
const slow = defineTool({
  name: "slow",
  description: "Takes its time, unless it is told to stop.",
  inputSchema: { type: "object", properties: { isLong: { type: "boolean" } } },
  async handler({ isLong = true }, { signal, progress }) {
    progress({ message: "begun" });
    try {
      if (isLong) await Promise.race([untilAborted(signal), new Promise<void>((resolve) => (letGo = resolve))]);
    } catch (error) {
      aborted.push((signal.reason as Error).message);
      throw error;
    }
    return "done";
  },
});

async function start(options: ServeOptions = {}): Promise<Served & { readonly rack: Rack }> {
  aborted = [];
  const rack = await openRack({
    environment: {},
    config: { store: { memory: true }, policy: { unknownAgents: "allow" } },
    tools: [...testTools, slow],
  });
  try {
    const served = await serve(rack, { port: 0, consoleFolder: false, ...options });
    opened.push(() => served.close({ graceMs: 0 }));
    return { ...served, rack };
  } catch (error) {
    await rack.close();
    throw error;
  }
}

/** Sends bytes as they are, and gives back all that is answered until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (bytes) => (answer += bytes.toString()));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const call = (url: string, tool: string, input: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/api/v1/tools/${tool}/call`, {
    method: "POST",
    body: JSON.stringify({ input }),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });

describe("serve", () => {
  it("listens on loopback, on any free port, and answers", async () => {
    const { url, host, port } = await start();
    expect(host).toBe("127.0.0.1");
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(await (await call(url, "echo", { text: "hello" })).json()).toMatchObject({ ok: true, data: { text: "hello" } });
  });

  it("listens for others before there is a key, where everybody has to sign in", async () => {
    const { port, rack } = await start({ host: "0.0.0.0", requireSignIn: true });
    const ask = (headers: Record<string, string> = {}): Promise<Response> => fetch(`http://127.0.0.1:${port}/api/v1/tools`, { headers });
    expect((await ask()).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    const { secret } = await rack.keys.create({ agent: "ci", roles: [], by: "owner" });
    expect((await ask({ authorization: `Bearer ${secret}` })).status).toBe(200);
  });

  it.each(["0.0.0.0", "::", "192.0.2.1"])("refuses to listen on %s while nobody would have to sign in", async (host) => {
    await expect(start({ host })).rejects.toMatchObject({
      code: "SIGN_IN_NOT_CONFIGURED",
      message: expect.stringMatching(/Create an API key first \(toolrack keys create <agent>\)/) as string,
    });
  });

  it("listens on every address once there is a key, and then trusts nobody without it", async () => {
    const rack = await openRack({
      environment: {},
      config: { store: { memory: true }, policy: { unknownAgents: "allow" } },
      tools: testTools,
    });
    const { secret } = await rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const served = await serve(rack, { port: 0, host: "0.0.0.0", consoleFolder: false });
    opened.push(() => served.close({ graceMs: 0 }));
    const url = `http://127.0.0.1:${served.port}`;
    expect((await fetch(`${url}/api/v1/tools`)).status).toBe(401);
    expect((await fetch(`${url}/api/v1/tools`, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
    expect(await raw(served.port, "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 403/);
  });

  it("says so when the port is taken", async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({
      code: "ADDRESS_UNAVAILABLE",
      message: expect.stringMatching(/another program.*toolrack serve --port <n>/) as string,
    });
  });

  it("answers what cannot be read as a request with a problem, too", async () => {
    const { port } = await start();
    const answer = await raw(port, "GET /a\\b HTTP/1.1\r\nHost: local host\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d/);
    expect(answer).toContain("application/problem+json");
  });

  it("answers a body that does not come with 408, and closes", async () => {
    const { port } = await start({ limits: { bodyTimeoutMs: 300 } });
    const head = "POST /api/v1/breadcrumbs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const [announced, inPieces] = await Promise.all([
      raw(port, `${head}Content-Length: 100\r\n\r\n{"a":`),
      raw(port, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`),
    ]);
    for (const answer of [announced, inPieces]) {
      expect(answer).toMatch(/^HTTP\/1.1 408/);
      expect(answer).toContain("BODY_TOO_SLOW");
    }
  });

  it("stops reading a body in pieces as soon as it is too large", async () => {
    const { port } = await start({ limits: { bodyBytes: 1_000 } });
    const head =
      "POST /api/v1/breadcrumbs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const piece = `400\r\n${"x".repeat(1_024)}\r\n`;
    expect(await raw(port, head + piece + piece)).toMatch(/^HTTP\/1.1 413/);
  });

  it("cancels a call whose client went away", async () => {
    const { url, rack } = await start();
    const client = new AbortController();
    const asked = call(url, "slow", {}, { signal: client.signal });
    await expect.poll(() => rack.running.list().length, patient).toBe(1);
    client.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => aborted, patient).toEqual(["The client went away."]);
    await expect.poll(() => rack.running.list(), patient).toEqual([]);
  });

  it("streams a call's progress, and cancels it when the reader goes away", async () => {
    const { url, rack } = await start();
    const short = await call(url, "slow", { isLong: false }, { headers: { accept: "text/event-stream" } });
    expect(short.headers.get("content-type")).toBe("text/event-stream");
    const seen = [];
    for await (const { event } of readEvents(short)) seen.push(event);
    expect(seen).toEqual(["started", "progress", "result"]);

    const client = new AbortController();
    const long = await call(url, "slow", {}, { headers: { accept: "text/event-stream" }, signal: client.signal });
    for await (const { event } of readEvents(long)) if (event === "progress") break;
    client.abort();
    await expect.poll(() => aborted.length, patient).toBe(1);
    await expect.poll(() => rack.running.list(), patient).toEqual([]);
  });

  it("leaves no stream behind for HEAD, nor for a reader who left before it began", async () => {
    const { url, port, rack } = await start();
    const headers = { authorization: `Bearer ${rack.ownerToken.text}` };
    const streams = async (): Promise<string | undefined> =>
      /^toolrack_event_streams (\d+)$/m.exec(await (await fetch(`${url}/metrics`, { headers })).text())?.[1];
    expect((await fetch(`${url}/api/v1/events`, { method: "HEAD" })).status).toBe(200);
    for (let time = 0; time < 40; time++) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n", () => socket.destroy());
        });
        socket.on("close", () => resolve());
      });
    }
    await expect.poll(streams, patient).toBe("0");
  });

  it("on closing, lets calls end, refuses new ones, and ends event streams", async () => {
    const { url, close, rack } = await start();
    const stream = await fetch(`${url}/api/v1/events`);
    const events = readEvents(stream);
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    const asked = call(url, "slow", {});
    await expect.poll(() => rack.running.list().length, patient).toBe(1);
    const closed = close({ graceMs: 20_000 });
    for await (const _ of events); // It ends, although nobody ended it.
    const late = await call(url, "echo", { text: "late" }).then(
      ({ status }) => status,
      () => "refused",
    );
    expect([503, "refused"]).toContain(late);
    letGo();
    expect(await (await asked).json()).toMatchObject({ ok: true, content: "done" });
    await closed;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it("on closing, cancels what outlasts the grace period, and records it", async () => {
    const { url, close, rack } = await start();
    const recorded: string[] = [];
    rack.registry.subscribe((event) => {
      if (event.type === "call-end") recorded.push(event.result.ok ? "ok" : event.result.code);
    });
    const asked = call(url, "slow", {}).then(
      ({ status }) => status,
      () => "cut",
    );
    await expect.poll(() => rack.running.list().length, patient).toBe(1);
    await close({ graceMs: 50 });
    expect(await asked).toBe(499);
    expect(recorded).toEqual(["ABORTED"]);
  });
});

describe("the console", () => {
  it("is served with a strict policy, hashed assets for ever, and its start page for its own paths", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-console-"));
    opened.push(async () => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>Toolrack</title>");
    writeFileSync(join(folder, "assets/app-3f9a8b7c.js"), "export {};");
    writeFileSync(join(folder, "..", "outside.txt"), "not for you");
    const { url, port } = await start({ consoleFolder: folder });

    const page = await fetch(`${url}/`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect((await fetch(`${url}/`, { headers: { "if-none-match": page.headers.get("etag")! } })).status).toBe(304);
    expect(await (await fetch(`${url}/tools/echo`)).text()).toContain("<title>Toolrack</title>");

    const script = await fetch(`${url}/assets/app-3f9a8b7c.js`);
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    for (const path of ["/assets/gone.js", "/api/v2/tools", "/api/nothing"]) expect((await fetch(url + path)).status).toBe(404);
    for (const path of [
      "/../outside.txt",
      "/%2e%2e/outside.txt",
      "/assets/../../outside.txt",
      "/..%2foutside.txt",
      "//outside.txt",
      "/assets/..%5c..%5coutside.txt",
    ])
      expect(await raw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).not.toContain("not for you");
    expect(await raw(port, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 403/);
  });

  it("is not there where it was not built", async () => {
    const { url } = await start();
    expect((await fetch(`${url}/`)).status).toBe(404);
  });
});

describe("MCP", () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

  it("is served at /mcp behind the same guard and sign-in", async () => {
    const { url, rack } = await start();
    const answer = await fetch(`${url}/mcp`, { method: "POST", body: ping, headers });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.status).toBeLessThan(500);
    const refused = await new Promise<number>((resolve) => {
      httpRequest(`${url}/mcp`, { method: "POST", headers: { ...headers, host: "evil.example" } }, ({ statusCode }) =>
        resolve(statusCode!),
      ).end(ping);
    });
    expect(refused).toBe(403);
    await rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const wrong = await fetch(`${url}/mcp`, { method: "POST", body: ping, headers: { ...headers, authorization: "Bearer trk_wrong" } });
    expect(wrong.status).toBe(401);
  });

  it.each(["legacy", "modern"] as const)("gives a %s client the tools of its agent, on whichever server it comes in", async (era) => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-mcp-"));
    const config = { store: { sqlite: join(folder, "a.db") }, policy: { agents: { anna: { tools: { allow: ["echo"] } } } } };
    const mcpKey = "k".repeat(32);
    const servers: Served[] = [];
    let secret = "";
    for (let index = 0; index < 2; index++) {
      const rack = await openRack({ environment: {}, config, tools: testTools });
      secret ||= (await rack.keys.create({ agent: "anna", roles: [], by: "test" })).secret;
      servers.push(await serve(rack, { port: 0, consoleFolder: false, mcpKey }));
    }
    // What a load balancer without sticky sessions does: every request goes to the other server.
    let turn = 0;
    const fetchAnywhere: typeof fetch = (input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      return fetch(`${servers[turn++ % 2]!.url}${path}`, init);
    };
    const client = new Client(
      { name: "test", version: "1.0.0" },
      { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(`${servers[0]!.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
      fetch: fetchAnywhere,
    });
    try {
      await client.connect(transport);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
      for (const text of ["one", "two", "three"]) {
        const result = await client.callTool({ name: "echo", arguments: { text } });
        expect(JSON.stringify(result)).toContain(text);
      }
      expect(turn).toBeGreaterThan(3);
    } finally {
      await client.close();
      for (const served of servers) await served.close({ graceMs: 0 });
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
