import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { testTools } from "@toolrack/testkit/test-tools";
import { turns } from "@toolrack/testkit/turns";
import { afterEach, describe, expect, it } from "vitest";
import type { Reply, WholeReply } from "../../../src/http/transport/exchange.ts";
import { NodeRequest } from "../../../src/http/transport/node.ts";
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer({ joinDuplicateHeaders: true }, listener).listen(0, "127.0.0.1");
  opened.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

async function startServer(): Promise<{ readonly port: number; readonly key: string }> {
  const rack = await openRack({ environment: {}, config: { store: { memory: true }, agents: { anonymous: {} } }, tools: testTools });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  opened.push(() => served.close({ graceMs: 0 }));
  return { port: served.port, key: rack.ownerToken.text };
}

const answerAll =
  (reply: (request: NodeRequest) => Reply, instead: WholeReply = { status: 500, headers: {}, body: "instead" }): RequestListener =>
  (incoming, outgoing) => {
    const request = new NodeRequest(incoming, outgoing);
    request.send(reply(request), () => instead);
  };

/** Sends bytes as they are, and gives back all that is answered until the server closes. */
function raw(port: number, ...texts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket: Socket = connect(port, "127.0.0.1", async () => {
      for (const text of texts) {
        await new Promise((resolve) => socket.write(text, resolve));
        await turns();
      }
    });
    socket.on("data", (bytes) => (answer += bytes.toString()));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const head = (line: string, ...headers: readonly string[]): string => `${[line, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`;
const local = "Host: localhost";

describe("a request of node:http", () => {
  it.each([
    ["/health", "/health", ""],
    ["/a%20b?x=1?y", "/a%20b", "x=1?y"],
    ["http://localhost:1/health?x", "/health", "x"],
    ["http://localhost", "/", ""],
    ["HTTP://LOCALHOST:80/health", "/health", ""],
    ["//evil.example/x", "//evil.example/x", ""],
    ["*", "*", ""],
  ])("with the target %j has the path %j", async (target, path, query) => {
    const port = await listen(answerAll(({ path, query }) => ({ status: 200, headers: {}, body: JSON.stringify([path, query]) })));
    expect(await raw(port, head(`OPTIONS ${target} HTTP/1.1`, local))).toContain(JSON.stringify([path, query]));
  });

  it("has only own headers, and both of two that are equal", async () => {
    const names = ["host", "authorization", "__proto__", "constructor", "absent"];
    const port = await listen(
      answerAll((request) => ({ status: 200, headers: {}, body: JSON.stringify(names.map((name) => request.header(name) ?? null)) })),
    );
    const answer = await raw(port, head("GET / HTTP/1.1", local, "Host: evil.example", "Authorization: a", "Authorization: b"));
    expect(answer).toContain('["localhost, evil.example","a, b",null,null,null]');
  });

  it("is refused where two Hosts or two keys were sent, and where its path cannot be decoded", async () => {
    const { port, key } = await startServer();
    const call = "GET /api/v1/tools HTTP/1.1";
    expect(await raw(port, head(call, local, `Authorization: Bearer ${key}`))).toMatch(/^HTTP\/1.1 200/);
    expect(await raw(port, head(call, local, "Host: evil.example"))).toMatch(/^HTTP\/1.1 400/);
    for (const keys of [
      [key, "trk_b"],
      ["trk_b", key],
    ]) {
      const headers = keys.map((one) => `Authorization: Bearer ${one}`);
      expect(await raw(port, head(call, local, ...headers))).toMatch(/^HTTP\/1.1 401/);
    }
    expect(await raw(port, head("GET /api/v1/tools/%E0%A4 HTTP/1.1", local))).toMatch(/^HTTP\/1.1 400[^]*not encoded as UTF-8/);
    expect(await raw(port, head("GET http://localhost/health/live HTTP/1.1", local))).toMatch(/^HTTP\/1.1 200/);
  });

  it("takes a body in pieces, and several requests on one connection in their order", async () => {
    const { port } = await startServer();
    const body = (text: string): string => JSON.stringify({ input: { text } });
    const post = (text: string, ...more: readonly string[]): string =>
      [
        "POST /api/v1/tools/echo/call HTTP/1.1",
        local,
        "Content-Type: application/json",
        `Content-Length: ${body(text).length}`,
        ...more,
      ].join("\r\n");
    const whole = `${post("first")}\r\n\r\n${body("first")}${post("second", "Connection: close")}\r\n\r\n${body("second")}`;
    const answer = await raw(port, whole.slice(0, 140), whole.slice(140, 150), whole.slice(150));
    expect([...answer.matchAll(/"text":"(\w+)"\},"meta"/g)].map(([, text]) => text)).toEqual(["first", "second"]);
  });
});

describe("an answer through node:http", () => {
  it("says its length, and to HEAD nothing but its head", async () => {
    const port = await listen(answerAll(() => ({ status: 200, headers: { "content-type": "text/plain" }, body: "größer" })));
    expect(await raw(port, head("GET / HTTP/1.1", local))).toMatch(/content-length: 8\r\n[^]*größer$/);
    expect(await raw(port, head("HEAD / HTTP/1.1", local))).toMatch(/content-length: 8\r\n[^]*\r\n\r\n$/);
  });

  it("that cannot be written is replaced, and the server goes on", async () => {
    const port = await listen(answerAll(() => ({ status: 200, headers: { etag: "a\nb" }, body: "x" })));
    for (let time = 0; time < 2; time++)
      expect(await raw(port, head("GET / HTTP/1.1", local))).toMatch(/^HTTP\/1.1 500[^]*\r\n\r\ninstead$/);
  });

  it("as a stream waits for a slow reader, and is let go when the reader leaves", async () => {
    let pulled = 0;
    let isCancelled = false;
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => void (pulled++, controller.enqueue(new Uint8Array(65_536))),
        cancel: () => void (isCancelled = true),
      });
    const port = await listen(answerAll(() => ({ status: 200, headers: {}, body: stream() })));
    const socket = connect(port, "127.0.0.1", () => socket.write(head("GET / HTTP/1.1", local)));
    socket.pause();
    const settled = async (): Promise<boolean> => {
      const before = pulled;
      await turns();
      return before > 0 && pulled === before;
    };
    await expect.poll(settled).toBe(true);
    expect(isCancelled).toBe(false);
    socket.destroy();
    await expect.poll(() => isCancelled).toBe(true);
  });

  it("whose stream fails is cut off", async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("broken")) });
    const port = await listen(answerAll(() => ({ status: 200, headers: {}, body: broken })));
    expect(await raw(port, head("GET / HTTP/1.1", local))).not.toContain("0\r\n\r\n");
  });

  it("of another handler carries the headers of this server, too", async () => {
    const handler = {
      node: answerAll(() => ({ status: 202, headers: { "x-own": "1" }, body: "other" })),
      fetch: () => Promise.reject(new Error("not here")),
    };
    const port = await listen(answerAll(() => ({ handler, headers: { "x-content-type-options": "nosniff" } })));
    const answer = await raw(port, head("GET / HTTP/1.1", local, "X-Request-Id: mine-1"));
    expect(answer).toMatch(/^HTTP\/1.1 202[^]*x-content-type-options: nosniff[^]*x-own: 1[^]*other$/i);
    expect(answer).toMatch(/\r\nx-request-id: mine-1\r\n/i);
  });
});
