import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { defineTool, createRegistry } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity, type Link, serveWorker, workerSource } from "../../src/index.ts";
import { serverLink } from "../../src/link/server.ts";
import { printOf } from "../../src/protocol/identity.ts";
import { openHub } from "../_links.ts";

const worker = createIdentity();
const other = createIdentity();
const server = createIdentity();
const instance = "0".repeat(18);

async function join(url: string, privateKey: string = worker.privateKey): Promise<Link> {
  const link = await serverLink({ url, token: "key", privateKey });
  afterThisTest(() => link.close());
  return link;
}

/** A WebSocket that says nothing. */
async function connectSilently(url: string): Promise<Duplex> {
  const asked = request(url, {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": createHash("md5").digest("base64"),
      "sec-websocket-protocol": "toolrack-worker-1",
    },
  });
  return new Promise<Duplex>((resolve) => {
    asked.on("upgrade", (_, opened) => resolve(opened)).on("error", () => undefined);
    asked.end();
  });
}

describe("the link to a server", () => {
  it("is refused to a key that no pool knows, with the key and where it belongs", async () => {
    const { url, hub } = await openHub({ poolsOf: (key) => (key === worker.publicKey ? ["web"] : []) });
    await expect(join(url, other.privateKey)).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringContaining(`No pool knows the key ${other.publicKey}. Add it to sources.<id>.workers.keys.`),
    });
    await join(url);
    expect(hub.size).toBe(1);
  });

  it.each([
    [
      "the inbox of another worker",
      (link: Link) => link.subscribe(`toolrack.web.worker.${printOf(other.publicKey)}.${instance}`, () => {}),
    ],
    ["everything", (link: Link) => link.subscribe(">", () => {})],
    ["a part of its inbox by a pattern", (link: Link) => link.subscribe(`toolrack.web.worker.${printOf(worker.publicKey)}.*`, () => {})],
    ["what servers are told", (link: Link) => link.subscribe("toolrack.web.news", () => {})],
    ["another pool", (link: Link) => link.subscribe("toolrack.gpu.roll", () => {})],
    ["an answer to a server", (link: Link) => link.subscribe(`toolrack.web.server.${printOf(server.publicKey)}.${instance}`, () => {})],
    [
      "a call for a worker, sent by it",
      (link: Link) => link.publish(`toolrack.web.worker.${printOf(other.publicKey)}.${instance}`, Buffer.of(1)),
    ],
    ["a roll call, sent by it", (link: Link) => link.publish("toolrack.web.roll", Buffer.of(1))],
    ["news of another pool, sent by it", (link: Link) => link.publish("toolrack.gpu.news", Buffer.of(1))],
  ])("is cut where a worker wants what is not its own: %s", async (_, want) => {
    const { url, hub } = await openHub();
    const heard: unknown[] = [];
    hub.connect().subscribe("toolrack.gpu.news", (message) => heard.push(message));
    const link = await join(url);
    const lost = new Promise<boolean>((resolve) => link.onConnection(resolve));
    want(link);
    expect(await lost).toBe(false);
    expect(heard).toEqual([]);
  });

  it("comes back by itself when the connection was lost, with its subscriptions", async () => {
    const { url, hub, cut } = await openHub();
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const tool = defineTool({ name: "t", description: "T.", inputSchema: { type: "object" }, handler: () => "done" });
    const source = workerSource({ link: hub.connect(), pool: "web", privateKey: server.privateKey, workers: [worker.publicKey] });
    const link = await join(url);
    const served = await serveWorker({ link, tools: [tool], pool: "web", privateKey: worker.privateKey, servers: [server.publicKey] });
    afterThisTest(() => served.close());
    await registry.addSource(source);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true });
    cut();
    await until(() => source.workers().length === 0);
    await until(() => source.workers().length === 1);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true, content: "done" });
  });

  it("ends with the key that the worker signed in with", async () => {
    const { hub } = await openHub();
    const revoked = new AbortController();
    const http = createServer();
    http.on("upgrade", (incoming, socket) => hub.take(incoming, socket, { signal: revoked.signal }));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => http.close(resolve)));
    const link = await join(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const lost = new Promise<boolean>((resolve) => link.onConnection(resolve));
    revoked.abort();
    expect(await lost).toBe(false);
    await until(() => hub.size === 0);
    await link.close();
  });

  it("is refused where the server is none, with what it answers", async () => {
    const http = createServer((_, answer) => answer.writeHead(404).end("no"));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => http.close(resolve)));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await expect(join(url)).rejects.toThrow(/It answers 404 instead of opening a WebSocket/);
    await expect(join("nats://127.0.0.1")).rejects.toThrow(/is no address of a Toolrack server/);
    await expect(join("http://user:pass@127.0.0.1")).rejects.toThrow(/without user and password/);
  });

  it("is refused where as many workers are connected as may be", async () => {
    const { url } = await openHub({ maxConnections: 1 });
    await join(url);
    await expect(join(url)).rejects.toThrow(/It answers 400/);
  });

  it("is refused to a sign-in of which many connections show no key, and to no other one", async () => {
    const { url, hub } = await openHub({ maxUnproven: 2 });
    const silent = [await connectSilently(url), await connectSilently(url)];
    await expect(join(url)).rejects.toThrow(/It answers 400/);
    expect(hub.faultOf({ method: "GET", headers: {} } as IncomingMessage)).toMatch(/2 connections of this sign-in have not shown the key/);
    expect(hub.faultOf({ method: "GET", headers: {} } as IncomingMessage, "another")).toBe("It is no request for a WebSocket.");
    silent[0]!.destroy();
    await until(() => hub.size === 1);
    for (let count = 0; count < 3; count++) await join(url);
    expect(hub.size).toBe(4);
  });

  it("is cut where much is sent before a key is shown", async () => {
    const { url, hub } = await openHub();
    const socket = await connectSilently(url);
    let said = "";
    socket.on("data", (data: Buffer) => (said += data.toString("latin1"))).on("error", () => undefined);
    // The beginning of a message of 1,000,000 bytes.
    socket.write(Buffer.concat([Buffer.of(0x82, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 1, 2, 3, 4), Buffer.alloc(5_000)]));
    await until(() => said.includes("sent more than 4096 bytes before it showed its key"));
    await until(() => hub.size === 0);
    socket.destroy();
  });

  it("is cut where nobody shows a key", async () => {
    const { url } = await openHub({ proofMs: 20 });
    const socket = await connectSilently(url);
    let said = "";
    socket.on("data", (data: Buffer) => (said += data.toString("latin1")));
    await until(() => said.includes("did not show its key in time"));
    socket.destroy();
  });
});
