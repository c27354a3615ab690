import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { hasOpenssl, makeCertificate, writeCertificate } from "@toolrack/testkit/certificates";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { createIdentity } from "@toolrack/workers";
import { serverLink } from "@toolrack/workers/server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { serve, type ServeOptions } from "../../../src/serve.ts";

const identity = createIdentity();
const pool: RackConfig = { store: { memory: true }, sources: { web: { workers: { connect: "server", keys: [identity.publicKey] } } } };

async function open(config: RackConfig = pool, options: ServeOptions = {}) {
  const rack = await openTestRack({ config });
  const served = await serve(rack, { port: 0, consoleFolder: false, ...options });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= served.close({ graceMs: 0 }));
  afterThisTest(close);
  await rack.sources.ready();
  const { secret, id } = await rack.keys.create({ agent: "gpu-1", roles: [], by: "test" });
  return { rack, served, close, secret, id };
}

/** Sends these bytes, and gives everything that comes back until the server ends the connection. */
function exchange(port: number, text: string, isTls = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }) : connect(port, "127.0.0.1");
    let got = "";
    socket.on("data", (data: Buffer) => (got += data.toString()));
    socket.on("error", reject).on("close", () => resolve(got));
    socket.write(text.replaceAll("\n", "\r\n"));
  });
}

const upgradeLines = (key: string): string => `GET /api/v1/workers/link HTTP/1.1
Host: 127.0.0.1
Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
Sec-WebSocket-Protocol: toolrack-worker-1
${key === "" ? "" : `Authorization: Bearer ${key}\n`}`;

describe("a request for another protocol", () => {
  it("is a request as any other where HTTP/2 is offered, its body included", async () => {
    const { served, secret } = await open();
    const body = JSON.stringify({ input: { seconds: 0 } });
    const answer = await exchange(
      served.port,
      `POST /api/v1/tools/nothing/call HTTP/1.1
Host: 127.0.0.1
Connection: Upgrade, HTTP2-Settings, close
Upgrade: h2c
HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA
Authorization: Bearer ${secret}
Content-Type: application/json
Content-Length: ${body.length}

${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*TOOL_NOT_FOUND/s);
  });

  it.skipIf(!hasOpenssl)("is a request as any other over TLS, too", async () => {
    const { served } = await open(pool, { tls: writeCertificate(temporaryFolder(), makeCertificate()) });
    const answer = await exchange(
      served.port,
      "GET /health HTTP/1.1\nHost: 127.0.0.1\nConnection: Upgrade, close\nUpgrade: TLS/1.0\n\n",
      true,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("is refused where a WebSocket is wanted and none is there, without a key, or from a page", async () => {
    const { served, secret } = await open();
    const other = (text: string): string => text.replace("/api/v1/workers/link", "/api/v1/tools");
    expect(await exchange(served.port, `${upgradeLines("")}\n`)).toMatch(/^HTTP\/1\.1 401 .*SIGN_IN_REQUIRED/s);
    expect(await exchange(served.port, `${upgradeLines("wrong")}\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await exchange(served.port, `${upgradeLines(secret)}Origin: https://evil.example\n\n`)).toMatch(
      /^HTTP\/1\.1 403 .*ORIGIN_REFUSED/s,
    );
    expect(await exchange(served.port, `${upgradeLines(secret).replace("Version: 13", "Version: 8")}\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await exchange(served.port, `${other(upgradeLines(secret))}\n`)).toMatch(/^HTTP\/1\.1 200 /);
    const plain = await fetch(`${served.url}/api/v1/workers/link`, { headers: { authorization: `Bearer ${secret}` } });
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([426, "UPGRADE_REQUIRED"]);
  });

  it("is refused where no pool takes workers this way", async () => {
    const { served, secret } = await open({ store: { memory: true } });
    await expect(serverLink({ url: served.url, token: secret, privateKey: identity.privateKey })).rejects.toThrow(
      /No pool of this server takes workers by WebSocket/,
    );
  });

  it("leaves places for other workers, however many connections one key opens without showing that it is a worker's", async () => {
    const { rack, served, secret } = await open();
    const silent = Array.from({ length: 50 }, () => connect(served.port, "127.0.0.1"));
    afterThisTest(() => silent.forEach((socket) => socket.destroy()));
    await Promise.all(
      silent.map((socket) => {
        socket.write(`${upgradeLines(secret)}\n`.replaceAll("\n", "\r\n"));
        return new Promise((resolve) => socket.once("data", resolve));
      }),
    );
    expect(await exchange(served.port, `${upgradeLines(secret)}\n`)).toMatch(/^HTTP\/1\.1 400 .*50 connections of this sign-in/s);
    const other = await rack.keys.create({ agent: "gpu-2", roles: [], by: "test" });
    const link = await serverLink({ url: served.url, token: other.secret, privateKey: identity.privateKey });
    afterThisTest(() => link.close());
    expect(link.isConnected).toBe(true);
  });

  it("becomes a link of a worker, which ends with its key, and which does not keep the server from ending", async () => {
    const { rack, served, secret, id, close } = await open();
    const link = await serverLink({ url: served.url, token: secret, privateKey: identity.privateKey });
    afterThisTest(() => link.close());
    expect(link.isConnected).toBe(true);
    await rack.keys.revoke(id, "test");
    await until(() => !link.isConnected);
    const next = await rack.keys.create({ agent: "gpu-2", roles: [], by: "test" });
    const again = await serverLink({ url: served.url, token: next.secret, privateKey: identity.privateKey });
    afterThisTest(() => again.close());
    await close();
    await until(() => !again.isConnected);
  });
});
