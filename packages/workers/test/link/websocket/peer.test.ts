import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { createAcceptor, dial } from "../../../src/link/websocket/handshake.ts";
import { closeCodes, type Connection, createPeer, type PeerOptions } from "../../../src/link/websocket/peer.ts";

/** Both ends of a WebSocket over a port of this machine. */
async function connected(): Promise<{ readonly server: Connection; readonly client: Connection }> {
  const http = createServer();
  const accept = createAcceptor(1_000);
  const accepted = new Promise<Connection>((resolve) => http.on("upgrade", (incoming, socket) => accept(incoming, socket, resolve)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => new Promise((resolve) => http.close(resolve)));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const signal = new AbortController().signal;
  const client = await dial({ url, token: "key", timeoutMs: 60_000, maxBytes: 100_000, signal });
  const server = await accepted;
  afterThisTest(() => [server, client].forEach(({ websocket }) => websocket.terminate()));
  return { server, client };
}

function listen(connection: Connection, options: Partial<PeerOptions> = {}) {
  const ends: unknown[][] = [];
  const heard: string[] = [];
  const peer = createPeer(connection, {
    onMessage: (message) => heard.push(message.toString()),
    onEnd: (reason, code) => ends.push(code === undefined ? [reason] : [reason, code]),
    ...options,
  });
  return { peer, ends, heard };
}

describe("a WebSocket", () => {
  it("carries binary messages both ways", async () => {
    const { server, client } = await connected();
    const [here, there] = [listen(server), listen(client)];
    here.peer.send(Buffer.from("down"));
    there.peer.send(Buffer.from("up"));
    await until(() => here.heard.length + there.heard.length === 2);
    expect([here.heard, there.heard]).toEqual([["up"], ["down"]]);
  });

  it("ends where a message is longer than may be, and says so to the other side", async () => {
    const { server, client } = await connected();
    const [here, there] = [listen(server), listen(client)];
    there.peer.send(Buffer.alloc(1_001));
    await until(() => here.ends.length + there.ends.length === 2);
    expect(here.heard).toEqual([]);
    expect(here.ends[0]![0]).toMatch(/Max payload size exceeded/);
    expect(there.ends).toEqual([["The other side closed the connection, with the code 1009.", 1009]]);
  });

  it("ends where a text comes", async () => {
    const { server, client } = await connected();
    const [here, there] = [listen(server), listen(client)];
    client.websocket.send("text");
    await until(() => there.ends.length === 1);
    expect(here.heard).toEqual([]);
    expect(there.ends).toEqual([["Only binary messages are taken.", closeCodes.unsupported]]);
  });

  it("answers the last of many pings where the other side does not read, and keeps no queue of answers", async () => {
    const { server, client } = await connected();
    const pong = vi.spyOn(server.websocket, "pong").mockImplementation(() => undefined);
    listen(server);
    const pings = vi.fn();
    server.websocket.on("ping", pings);
    for (let count = 0; count < 500; count++) client.websocket.ping(`ping ${count}`);
    await until(() => pings.mock.calls.length === 500);
    expect(pong.mock.calls.map(([data]) => String(data))).toEqual(["ping 0"]);
    // The answer was read.
    (pong.mock.calls[0]![2] as () => void)();
    expect(pong.mock.calls.map(([data]) => String(data))).toEqual(["ping 0", "ping 499"]);
  });

  it("ends where the other side does not read what it is sent", async () => {
    const { server, client } = await connected();
    client.websocket.pause();
    const { peer, ends } = listen(server, { maxWaitingBytes: 10_000 });
    for (let count = 0; count < 1_000 && ends.length === 0; count++) peer.send(Buffer.alloc(90_000));
    expect(ends).toEqual([["The other side does not read."]]);
    await until(() => server.websocket.readyState === server.websocket.CLOSED);
  });

  it("ends where the other side is silent, and stays while it answers", async () => {
    const { server, client } = await connected();
    const answers = vi.fn();
    server.websocket.on("pong", answers);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    afterThisTest(() => void vi.useRealTimers());
    const { ends } = listen(server, { pingMs: 1_000 });
    listen(client, { pingMs: 1_000_000 });
    for (let second = 1; second <= 10; second++) {
      vi.advanceTimersByTime(1_000);
      await until(() => answers.mock.calls.length === second);
    }
    expect(ends).toEqual([]);
    client.websocket.pause();
    vi.advanceTimersByTime(5_000);
    expect(ends).toEqual([["The other side is silent."]]);
  });

  it("tells why the other side ended it, as much as fits", async () => {
    const { server, client } = await connected();
    const [here, there] = [listen(server), listen(client)];
    const reason = `no more ${"ä".repeat(100)}`;
    here.peer.close(closeCodes.refused, reason);
    await until(() => there.ends.length === 1);
    expect(here.ends).toEqual([[reason]]);
    expect(there.ends).toEqual([[`no more ${"ä".repeat(56)}`, closeCodes.refused]]);
  });

  it("tells that the connection was lost", async () => {
    const { server, client } = await connected();
    const there = listen(client);
    server.websocket.terminate();
    await until(() => there.ends.length === 1);
    expect(there.ends).toEqual([["The connection was lost."]]);
  });
});
