import { readFileSync } from "node:fs";
import { type IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { hasPart } from "@toolrack/core/testing";
import { hasOpenssl, makeCertificate, writeCertificate } from "@toolrack/testkit/certificates";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { hasNginx, startNginxWith } from "@toolrack/testkit/nginx";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { testTools } from "@toolrack/testkit/test-tools";
import { createIdentity } from "@toolrack/workers";
import { describe, expect, it } from "vitest";
import { serve } from "../src/serve.ts";

const file = readFileSync(new URL("../../cli/template/deploy/nginx/toolrack.conf", import.meta.url), "utf8");

/** A server behind nginx, with the file of `deploy`: only its port, its certificate and the address of the server are others. */
async function startBehindNginx() {
  const sources = { web: { workers: { connect: "server", keys: [createIdentity().publicKey] } } };
  const rack = await openTestRack({ tools: testTools, config: { store: { memory: true }, sources } });
  const served = await serve(rack, { port: 0, consoleFolder: false, publicUrl: "https://tools.example.com" });
  afterThisTest(() => served.close({ graceMs: 0 }));
  const certificate = makeCertificate();
  const { cert, key } = writeCertificate(temporaryFolder(), certificate);
  const nginx = await startNginxWith((port) =>
    file
      .replace("127.0.0.1:7333;", `127.0.0.1:${served.port};`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
      .replace("/etc/ssl/tools.example.com.pem", cert)
      .replace("/etc/ssl/tools.example.com.key", key),
  );
  afterThisTest(() => nginx.stop());
  const port = Number(new URL(nginx.url).port);
  const { secret } = await rack.keys.create({ agent: "ops", roles: ["admin", "subscriber"], by: "owner" });
  function send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port,
          method,
          path,
          ca: certificate.cert,
          servername: "tools.example.com",
          agent: false,
          headers: {
            host: "tools.example.com",
            authorization: `Bearer ${secret}`,
            accept: "application/json, text/event-stream",
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
        },
        resolve,
      );
      sent
        .once("upgrade", resolve)
        .once("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
  return { rack, send };
}

describe.skipIf(!hasNginx || !hasOpenssl)("behind nginx, with the file of deploy", () => {
  it("those who sign in call tools over HTTP and MCP, and nobody is local", async () => {
    const { rack, send } = await startBehindNginx();
    expect((await send("GET", "/api/v1/tools", undefined, { authorization: "" })).statusCode).toBe(401);
    expect((await send("GET", "/api/v1/tools", undefined, { authorization: `Bearer ${rack.ownerToken.text}` })).statusCode).toBe(401);
    const called = await send("POST", "/api/v1/tools/echo/call", { input: { text: "through nginx" } });
    expect(called.statusCode).toBe(200);
    expect(called.headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
    expect(await text(called)).toContain("through nginx");
    const params = { name: "echo", arguments: { text: "over MCP" } };
    const overMcp = await send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(await text(overMcp)).toContain("over MCP");
  });

  it("events arrive while the stream is open", async () => {
    const { send } = await startBehindNginx();
    const stream = await send("GET", "/api/v1/events");
    expect(stream.headers["content-type"]).toContain("text/event-stream");
    const arrived = new Promise<string>((resolve) => {
      let received = "";
      stream.on("data", (chunk: Buffer) => {
        received += chunk.toString();
        if (received.includes("echo")) resolve(received);
      });
    });
    await text(await send("POST", "/api/v1/tools/echo/call", { input: { text: "x" } }));
    expect(await arrived).toContain("data:");
    expect(stream.complete).toBe(false);
    stream.destroy();
  });

  it("a worker connects to the server by WebSocket", async () => {
    const { send } = await startBehindNginx();
    const key = "dGhlIHNhbXBsZSBub25jZQ==";
    const named = { "sec-websocket-version": "13", "sec-websocket-key": key, "sec-websocket-protocol": "toolrack-worker-1" };
    const wanted = { connection: "Upgrade", upgrade: "websocket", ...named };
    const answer = await send("GET", "/api/v1/workers/link", undefined, wanted);
    expect(answer.statusCode).toBe(101);
    answer.socket.destroy();
  });

  it("a trace that came in goes through", async () => {
    const { send } = await startBehindNginx();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const answer = await send("POST", "/api/v1/tools/echo/call", { input: { text: "x" } }, { traceparent });
    expect([answer.statusCode, await text(answer), answer.headers["traceparent"]]).toEqual([200, expect.any(String), traceparent]);
    answer.resume();
  });
});

/** A server without keys, whose agent "anonymous" has tools, behind an nginx that only passes requests on. */
async function startBare(directives: readonly string[], isOtherUser = false) {
  const rack = await openTestRack({ tools: testTools, config: { store: { memory: true } } });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => served.close({ graceMs: 0 }));
  const nginx = await startNginxWith(
    (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${served.port}; ${directives.join(" ")} } }`,
    { isOtherUser },
  );
  afterThisTest(() => nginx.stop());
  const statuses = async (url: string): Promise<number[]> => {
    const { token } = (await (await signedIn(served.url, "/api/v1/sign-in", { code: codeOf(served.signInLink()) })).json()) as {
      token: string;
    };
    const asked = ["", `Bearer ${rack.ownerToken.text}`, `Bearer ${token}`].map((authorization) =>
      fetch(`${url}/api/v1/tools`, { headers: authorization === "" ? {} : { authorization } }),
    );
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  return { direct: () => statuses(served.url), through: () => statuses(nginx.url) };
}

const codeOf = (link: string): string => new URL(link).hash.slice("#sign-in=".length);

const signedIn = (url: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe.skipIf(!hasNginx)("TD9: behind a bare nginx, which adds no header and names this machine as the host", () => {
  it("nobody is on the owner's machine: neither without a credential, nor with the owner's token or session", async () => {
    const { direct, through } = await startBare([]);
    expect(await direct()).toEqual([200, 200, 200]);
    expect(await through()).toEqual([401, 401, 401]);
  });

  // As root, nginx runs its workers as another user; as any other user, it could only run as the user of the server.
  const mayChangeUser = hasPart("root, to run nginx as another user", process.platform === "linux" && process.getuid?.() === 0);
  it.skipIf(!mayChangeUser)("the same where it speaks the protocol of clients, by the user that it runs as", async () => {
    const { direct, through } = await startBare(["proxy_http_version 1.1;", 'proxy_set_header Connection "";'], true);
    expect(await direct()).toEqual([200, 200, 200]);
    expect(await through()).toEqual([401, 401, 401]);
  });
});
