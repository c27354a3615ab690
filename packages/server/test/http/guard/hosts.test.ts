import { connect } from "node:net";
import { createServer } from "node:http";
import { testTools } from "@toolrack/testkit/test-tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";

/** The port of a server, and of a plain one of `node:http` around the same app. */
let ports: readonly number[];
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  const rack = await openRack({ environment: {}, config: { store: { memory: true } }, tools: testTools });
  const served = await serve(rack, { port: 0, consoleFolder: false, allowedHosts: ["tools.example"] });
  const app = createApp(rack, { allowedHosts: ["tools.example"] });
  const plain = createServer((incoming, outgoing) => app.node(incoming, outgoing)).listen(0, "127.0.0.1");
  await new Promise((resolve) => plain.once("listening", resolve));
  ports = [served.port, (plain.address() as { port: number }).port];
  closers.push(
    () => plain.close(),
    () => served.close({ graceMs: 0 }),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** Sends bytes as they are, and gives back the status line and the code of the problem. */
function raw(port: number, head: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n`));
    socket.on("data", (bytes) => (answer += bytes.toString()));
    socket.on("close", () => resolve(`${/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ""}`));
    socket.on("error", reject);
  });
}

describe("the host of a request", () => {
  it.each([
    ["two Host headers", ["GET /health HTTP/1.1", "Host: localhost", "Host: evil.example"]],
    ["two Host headers, the wrong one first", ["GET /health HTTP/1.1", "Host: evil.example", "host: localhost"]],
    ["the same Host header twice", ["GET /health HTTP/1.1", "Host: localhost", "Host: localhost"]],
    ["two hosts in one header", ["GET /health HTTP/1.1", "Host: localhost, evil.example"]],
    ["another host in the request line", ["GET http://evil.example/health HTTP/1.1", "Host: localhost"]],
    ["another host in the header", ["GET http://localhost/health HTTP/1.1", "Host: tools.example"]],
    ["another port in the request line", ["GET http://localhost:1/health HTTP/1.1", "Host: localhost"]],
    ["a user in the request line", ["GET http://localhost@evil.example/health HTTP/1.1", "Host: localhost"]],
    ["no Host header in HTTP/1.0", ["GET /health HTTP/1.0", "X-Nothing: here"]],
  ])("SD17: is refused with %s", async (_, head) => {
    for (const port of ports) expect(await raw(port, head)).toBe("400 HOST_AMBIGUOUS");
  });

  it("SD17: is refused where HTTP/1.1 names none", async () => {
    for (const port of ports) expect(await raw(port, ["GET /health HTTP/1.1", "X-Nothing: here"])).toMatch(/^400/);
  });

  it("is taken where it is said once, or twice in the same words", async () => {
    for (const port of ports) {
      expect(await raw(port, ["GET /health HTTP/1.1", "Host: localhost"])).toMatch(/^200/);
      expect(await raw(port, ["GET http://LOCALHOST/health HTTP/1.1", "Host: localhost"])).toMatch(/^200/);
    }
  });
});
